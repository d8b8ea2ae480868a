import { z } from 'zod';
import { acceptedConfiguration, onOrOff, postgresUrl, wholeNumber } from '../fields.ts';
import type { SettingRow } from './setting.ts';

/**
 * The connections of one process. Each of the two background jobs of a notes process holds one while a third
 * writes their notes: with fewer they wait for each other.
 */
export const databaseConnections = wholeNumber(3, 1_000);

/** Where data is, and how it is reached. */
export const databaseSettings = [
  {
    about:
      'embedded PostgreSQL and generated secrets (mode 0600). With `DATABASE_URL` it still holds the secrets, and the lock that prevents a second start',
    settings: {
      DATA_DIR: { comment: null, field: z.string(), default: '.data', readBy: [] },
    },
  },
  {
    about:
      'an existing PostgreSQL, 15 or newer, with a role that may create roles and schemas. In containers each service has the URL of its own role',
    settings: {
      DATABASE_URL: { comment: null, field: postgresUrl, readBy: [] },
    },
  },
  {
    about:
      'connections of each service process to PostgreSQL, at least 3: two background jobs of notes hold one each while a third writes. The sum over all processes must stay below `max_connections`',
    settings: {
      DATABASE_CONNECTIONS_MAX: {
        comment:
          "Connections of each service's process to PostgreSQL, at least 3. Processes times this stay below its max_connections (100).",
        field: databaseConnections,
        default: '10',
        readBy: ['auth', 'agents', 'notes'],
      },
    },
  },
  {
    about: '`off` behind PgBouncer before 1.21, see [infra/scale](../infra/scale/README.md)',
    settings: {
      DATABASE_NAMED_STATEMENTS: {
        comment: 'off behind PgBouncer before 1.21 in transaction mode, see infra/scale.',
        field: onOrOff,
        default: 'on',
        readBy: ['auth', 'agents', 'notes'],
      },
    },
  },
  {
    about: '`on` if the database is the coordinator of a Citus cluster',
    settings: {
      DATABASE_CITUS: {
        comment: 'on when the database is the coordinator of a Citus cluster, see infra/scale.',
        field: onOrOff,
        default: 'off',
        readBy: ['auth', 'agents', 'notes'],
      },
    },
  },
  {
    about:
      'a list of `NAME:fingerprint`. The database stores fingerprints of `API_KEY_PEPPERS`, `PASSWORD_PEPPERS` and `SECOND_FACTOR_SECRETS`, and the mode. A start that shares no pepper with it, or falls back from `authenticated` to `local_trusted`, exits with 1 and prints the entry that accepts the change. Empty it after that start',
    settings: {
      ACCEPT_CONFIGURATION: {
        comment:
          'What a refused start names, to go on all the same with other peppers or another mode than the database was last used with (docs/operations.md). Empty it again after that start.',
        field: acceptedConfiguration,
        default: '',
        readBy: ['auth', 'agents'],
      },
    },
  },
] as const satisfies readonly SettingRow[];
