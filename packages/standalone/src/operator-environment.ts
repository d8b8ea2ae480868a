import { join, resolve } from 'node:path';
import { readIfPresent } from './data-directory.ts';
import { embeddedUrl } from './embedded-url.ts';
import { withFileValues } from './environment-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of `pnpm operator`. Inside a container of the auth service it is there already. On
 * a single machine it is put together from the data directory of the running system: its kept
 * secrets and, unless `DATABASE_URL` names another, its embedded PostgreSQL.
 *
 * It needs nothing but Node: in a container the dependencies of this package are not installed.
 */
export const operatorEnvironment = async (env: Environment): Promise<Environment> => {
  const values = withFileValues(env, [
    'DATABASE_URL',
    'AUTH_DATABASE_PASSWORD',
    'PASSWORD_PEPPERS',
  ]);
  if (userOf(values['DATABASE_URL']) === authRole) {
    return env;
  }
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const kept = await keptSecrets(dataDir);
  const password = values['AUTH_DATABASE_PASSWORD'] || kept['AUTH_DATABASE_PASSWORD'];
  const peppers = values['PASSWORD_PEPPERS'] || kept['PASSWORD_PEPPERS'];
  if (!password || !peppers) {
    throw new Error(
      `There are no secrets in ${dataDir}: run pnpm start once, or name its folder with DATA_DIR.`,
    );
  }
  const url = new URL(values['DATABASE_URL'] || (await runningUrl(dataDir)));
  url.username = authRole;
  url.password = encodeURIComponent(password);
  return { ...values, DATABASE_URL: url.href, PASSWORD_PEPPERS: peppers };
};

/** The role the auth service works as. */
const authRole = 'auth_app';

const userOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).username : null;

const keptSecrets = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  const text = await readIfPresent(join(dataDir, 'secrets.json'));
  return text === null ? {} : (JSON.parse(text) as Record<string, string>);
};

const runningUrl = async (dataDir: string): Promise<string> => {
  const url = await embeddedUrl(dataDir);
  if (url === null) {
    throw new Error(`The system of ${dataDir} is not running: begin with pnpm start.`);
  }
  return url;
};
