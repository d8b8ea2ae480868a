import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { postgresUrl, readConfig, withPassword, type Environment } from '@commonplace/config';
import { makeDataDirectory } from '@commonplace/standalone/data-directory';
import { databaseFolder } from '@commonplace/standalone/database-folder';
import { lockDataDirectory } from '@commonplace/standalone/lock-data-directory';
import { runningAdminUrl } from '@commonplace/standalone/running-admin-url';
import { z } from 'zod';
import { whileRunning } from './while-running.ts';

const fields = z.object({
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
});

/** The administrator's URL of the database, and the data directory, which may have its secrets. */
export type Database = {
  readonly adminUrl: string;
  readonly dataDir: string;
  /** Whether it is a copy that is removed afterwards. */
  readonly isCopy: boolean;
};

type DatabaseNeeds = {
  /** Whether the system must be stopped, and cannot start meanwhile. */
  readonly isExclusive: boolean;
  /** Whether a data directory without a database gets one. */
  readonly mayCreate: boolean;
  /**
   * For work that only reads. On a full disk PostgreSQL does not start; if this folder is on another disk, the database
   * is copied into it for the time of the work.
   */
  readonly spareFolder?: string;
};

/**
 * Runs work on the database that `pnpm start` uses: that of DATABASE_URL, or the embedded one of the data
 * directory, which is started for the work if it does not run.
 */
export const withDatabase = async <Result>(
  env: Environment,
  { isExclusive, mayCreate, spareFolder }: DatabaseNeeds,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const { DATABASE_URL, DATABASE_PASSWORD, DATA_DIR } = readConfig(fields, env);
  const dataDir = resolve(DATA_DIR);
  if (DATABASE_URL !== undefined) {
    const adminUrl = withPassword(DATABASE_URL, DATABASE_PASSWORD);
    return work({ adminUrl, dataDir, isCopy: false });
  }
  if (!mayCreate) {
    await assertDatabaseIn(dataDir);
  }
  const running = isExclusive ? null : await runningAdminUrl(dataDir);
  return running === null
    ? withStarted(dataDir, spareFolder, work)
    : work({ adminUrl: running, dataDir, isCopy: false });
};

/** Otherwise a mistyped DATA_DIR would look like an empty database. */
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
  spareFolder: string | undefined,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await makeDataDirectory(path);
  // Loaded only here: the container images have no embedded PostgreSQL.
  const postgres = await import('@commonplace/embedded-postgres');
  const unlock = await lockDataDirectory(dataDir);
  return whileRunning(unlock, async () => {
    const home = join(dataDir, 'postgres');
    const serve = (folder: string, isCopy: boolean): Promise<Result> => {
      const givenUp = new AbortController();
      const starting = postgres.startPostgres({ dataDir: folder, signal: givenUp.signal });
      // A server that is still starting is ended: its recovery may take hours.
      const stop = async () => {
        givenUp.abort();
        await (await starting.catch(() => null))?.stop();
      };
      return whileRunning(stop, async () =>
        work({ adminUrl: (await starting).url, dataDir, isCopy }),
      );
    };
    const files = (await databaseFolder(dataDir)) ?? dataDir;
    const needsCopy =
      spareFolder !== undefined &&
      (await postgres.isDiskFull(files)) &&
      !(await postgres.areOnOneDisk(files, spareFolder));
    if (!needsCopy) {
      return serve(home, false);
    }
    const copy = await mkdtemp(join(spareFolder, 'commonplace-copy-'));
    const remove = () => rm(copy, { recursive: true, force: true });
    return whileRunning(remove, async () => {
      log(`The disk of ${files} is full. Copying the database to ${copy}, to read it there`);
      await postgres.copyDatabase(home, copy, log);
      return serve(copy, true);
    });
  });
};

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
