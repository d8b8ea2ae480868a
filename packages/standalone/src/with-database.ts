import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import { makeDataDirectory } from './data-directory.ts';
import { lockDataDirectory } from './lock-data-directory.ts';
import { runningAdminUrl } from './running-admin-url.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the database is, and where its secrets may be. */
export type Database = { readonly adminUrl: string; readonly dataDir: string };

type DatabaseNeeds = {
  /** No supervisor may run, and none can start meanwhile. */
  readonly isExclusive: boolean;
  /** Whether an embedded database is made where there is none. */
  readonly mayCreate: boolean;
};

/**
 * Works on the database that `pnpm start` would use: that of DATABASE_URL, or the embedded one of the
 * data directory. One that does not run is started for the work.
 */
export const withDatabase = async <Result>(
  env: Environment,
  { isExclusive, mayCreate }: DatabaseNeeds,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  if (env['DATABASE_URL']) {
    return work({ adminUrl: env['DATABASE_URL'], dataDir });
  }
  if (!mayCreate) {
    await assertDatabaseIn(dataDir);
  }
  const running = isExclusive ? null : await runningAdminUrl(dataDir);
  return running === null ? withStarted(dataDir, work) : work({ adminUrl: running, dataDir });
};

/** A mistyped DATA_DIR must not look like an empty database. */
const assertDatabaseIn = async (dataDir: string): Promise<void> => {
  const home = join(dataDir, 'postgres');
  const found = await Promise.all(
    ['pgdata', 'relocated'].map((name) => lstat(join(home, name)).catch(() => null)),
  );
  if (found.every((each) => each === null)) {
    throw new Error(`there is no database in ${dataDir}. Is DATA_DIR right?`);
  }
};

const withStarted = async <Result>(
  path: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await makeDataDirectory(path);
  const unlock = await lockDataDirectory(dataDir);
  try {
    const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
    try {
      return await work({ adminUrl: postgres.url, dataDir });
    } finally {
      await postgres.stop();
    }
  } finally {
    await unlock();
  }
};
