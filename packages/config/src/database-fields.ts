import { z } from 'zod';
import { onOrOff, postgresUrl, wholeNumber } from './fields.ts';

/**
 * The connections of one process. Each of the two background jobs of a notes process holds one while a third
 * writes their notes: with fewer they wait for each other.
 */
export const databaseConnections = wholeNumber(3, 1_000);

/** How a service reaches its database. */
export const databaseFields = {
  DATABASE_URL: postgresUrl,
  /** Replaces the password in the URL. */
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_CONNECTIONS_MAX: databaseConnections.default(10),
  /** Off behind a pooler in transaction mode that knows no named statements. */
  DATABASE_NAMED_STATEMENTS: onOrOff.default(true),
  /** On where the database is the coordinator of a Citus cluster. */
  DATABASE_CITUS: onOrOff.default(false),
};

type DatabaseConfig = Readonly<z.output<z.ZodObject<typeof databaseFields>>>;

/** The same, in the words of `createDb`. */
export const databaseOptions = (config: DatabaseConfig) => ({
  url: withPassword(config.DATABASE_URL, config.DATABASE_PASSWORD),
  connectionsMax: config.DATABASE_CONNECTIONS_MAX,
  hasNamedStatements: config.DATABASE_NAMED_STATEMENTS,
  isCitus: config.DATABASE_CITUS,
});

/** A connection URL with a password that is given apart from it, if there is one. */
export const withPassword = (databaseUrl: string, password: string | undefined): string => {
  if (password === undefined) {
    return databaseUrl;
  }
  const url = new URL(databaseUrl);
  url.password = encodeURIComponent(password);
  return url.href;
};
