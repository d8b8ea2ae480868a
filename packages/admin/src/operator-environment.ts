import { resolve } from 'node:path';
import { postgresUrl, readConfig, type Environment } from '@commonplace/config';
import { embeddedUrl } from '@commonplace/standalone/embedded-url';
import { httpAddress } from '@commonplace/standalone/http-address';
import { readStoredSecrets } from '@commonplace/standalone/load-secrets';
import { z } from 'zod';

const fields = z.object({
  DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  AUTH_DATABASE_PASSWORD: z.string().optional(),
  PASSWORD_PEPPERS: z.string().optional(),
  SECOND_FACTOR_SECRETS: z.string().optional(),
  GATEWAY_URL: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.string().default('8080'),
});

/**
 * The environment of the operator CLI. A `DATABASE_URL` with the role of the auth service is used as it is.
 * Otherwise the secrets come from the data directory unless they are given, and the database is that of
 * `DATABASE_URL`, or the embedded PostgreSQL of the running system. The links that it prints without a `PUBLIC_URL` have the
 * address that `pnpm start` has with this environment.
 */
export const operatorEnvironment = async (env: Environment): Promise<Environment> => {
  const given = readConfig(fields, env);
  if (given.DATABASE_URL !== undefined && new URL(given.DATABASE_URL).username === authRole) {
    return env;
  }
  const dataDir = resolve(given.DATA_DIR);
  const stored = await readStoredSecrets(dataDir);
  const password = given.AUTH_DATABASE_PASSWORD || stored['AUTH_DATABASE_PASSWORD'];
  const peppers = given.PASSWORD_PEPPERS || stored['PASSWORD_PEPPERS'];
  const factors = given.SECOND_FACTOR_SECRETS || stored['SECOND_FACTOR_SECRETS'];
  if (!password || !peppers) {
    throw new Error(
      `There are no secrets in ${dataDir}: run pnpm start once, or set DATA_DIR to its data directory.`,
    );
  }
  const url = new URL(given.DATABASE_URL ?? (await runningUrl(dataDir)));
  url.username = authRole;
  url.password = encodeURIComponent(password);
  return {
    ...env,
    // A variable and its file together are an error.
    DATABASE_URL_FILE: undefined,
    DATABASE_PASSWORD: undefined,
    DATABASE_PASSWORD_FILE: undefined,
    PASSWORD_PEPPERS_FILE: undefined,
    DATABASE_URL: url.href,
    PASSWORD_PEPPERS: peppers,
    GATEWAY_URL: given.GATEWAY_URL ?? httpAddress(given.HOST, given.PORT),
    ...(factors && { SECOND_FACTOR_SECRETS: factors, SECOND_FACTOR_SECRETS_FILE: undefined }),
  };
};

/** The role of the auth service. */
const authRole = 'auth_app';

const runningUrl = async (dataDir: string): Promise<string> => {
  const url = await embeddedUrl(dataDir);
  if (url === null) {
    throw new Error(`The system of ${dataDir} is not running. Start it with pnpm start.`);
  }
  return url;
};
