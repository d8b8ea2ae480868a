import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyBackup, writeBackup } from '@commonplace/migrations/backup';
import { makeDataDirectory } from '@commonplace/standalone/data-directory';
import { print, type Command } from '../command.ts';
import { withDatabase } from '../with-database.ts';

/** Backs up the database, whether the system runs or not. */
export const backup: Command = {
  options: {},
  argsMax: 1,
  run: async ({ args: [path], env }) => {
    try {
      const needs = { isExclusive: false, mayCreate: false };
      await withDatabase(env, needs, async ({ adminUrl, dataDir }) => {
        await (path === '-'
          ? writeBackup(adminUrl, process.stdout)
          : writeFile(adminUrl, path ?? (await defaultPath(dataDir))));
      });
    } catch (error) {
      throw new Error(`No backup was made: ${(error as Error).message}`, { cause: error });
    }
  },
};

/** The file gets its name only once it is written completely and verified. */
const writeFile = async (adminUrl: string, path: string): Promise<void> => {
  // A unique name: the remains of a killed backup are not in the way.
  const staging = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = createWriteStream(staging, { flags: 'wx', mode: 0o600, flush: true });
    const rows = await writeBackup(adminUrl, file);
    await verifyBackup(staging);
    await rename(staging, path);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    print(`${path}: ${total} rows of ${Object.keys(rows).length} tables, written and verified.`);
  } catch (error) {
    await rm(staging, { force: true });
    throw error;
  }
};

/** In the data directory, not in the checkout, where it could be committed. */
const defaultPath = async (dataDir: string): Promise<string> => {
  const folder = join(await makeDataDirectory(dataDir), 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `commonplace-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`);
};
