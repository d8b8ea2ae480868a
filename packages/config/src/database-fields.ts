import type { z } from 'zod';
import { onOrOff, postgresUrl, wholeNumber } from './fields.ts';

/** How a service reaches its database. */
export const databaseFields = {
  DATABASE_URL: postgresUrl,
  /** Connections of one process. */
  DATABASE_CONNECTIONS_MAX: wholeNumber(1, 1_000).default(10),
  /** Off behind a pooler in transaction mode that knows no named statements. */
  DATABASE_NAMED_STATEMENTS: onOrOff.default(true),
  /** On where the database is the coordinator of a Citus cluster. */
  DATABASE_CITUS: onOrOff.default(false),
};

type DatabaseConfig = {
  readonly [Name in keyof typeof databaseFields]: z.output<(typeof databaseFields)[Name]>;
};

/** The same, in the words of `createDb`. */
export const databaseOptions = (config: DatabaseConfig) => ({
  url: config.DATABASE_URL,
  connectionsMax: config.DATABASE_CONNECTIONS_MAX,
  hasNamedStatements: config.DATABASE_NAMED_STATEMENTS,
  isCitus: config.DATABASE_CITUS,
});
