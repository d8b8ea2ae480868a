import { z } from 'zod';
import { postgresUrl } from './fields.ts';

/** Where the database of a service is; how it is reached are settings. */
export const databaseFields = {
  DATABASE_URL: postgresUrl,
  /** Replaces the password in the URL. */
  DATABASE_PASSWORD: z.string().optional(),
};

type DatabaseConfig = Readonly<z.output<z.ZodObject<typeof databaseFields>>> & {
  readonly DATABASE_CONNECTIONS_MAX: number;
  readonly DATABASE_NAMED_STATEMENTS: boolean;
  readonly DATABASE_CITUS: boolean;
};

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
