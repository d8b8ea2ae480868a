import type { z } from 'zod';
import { onOrOff, postgresUrl, wholeNumber } from './fields.ts';

/**
 * The connections of one process. Each of the two background jobs of a notes process holds one while a third
 * writes their notes: with fewer they wait for each other.
 */
export const databaseConnections = wholeNumber(3, 1_000);

/** How a service reaches its database. */
export const databaseFields = {
  DATABASE_URL: postgresUrl,
  DATABASE_CONNECTIONS_MAX: databaseConnections.default(10),
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
