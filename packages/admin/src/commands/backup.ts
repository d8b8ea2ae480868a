import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  recordBackup,
  verifyBackup,
  writeBackup,
  type BackupSummary,
} from '@commonplace/migrations/backup';
import { makeDataDirectory } from '@commonplace/standalone/data-directory';
import { assertNewFile, giveName } from '../backup-file.ts';
import { UsageError, print, type Command } from '../command.ts';
import { whileRunning } from '../while-running.ts';
import { withDatabase } from '../with-database.ts';

/** Backs up the database, whether the system runs or not. */
export const backup: Command = {
  options: {},
  argsMax: 1,
  run: async ({ args: [path], env }) => {
    if (path === '') {
      throw new UsageError('the name of the file is empty');
    }
    try {
      if (path !== undefined && path !== '-') {
        await assertNewFile(path);
      }
      const needs = {
        isExclusive: false,
        mayCreate: false,
        ...(path === undefined ? {} : { spareFolder: path === '-' ? tmpdir() : dirname(path) }),
      };
      await withDatabase(env, needs, async ({ adminUrl, dataDir, isCopy }) => {
        const made = await (path === '-'
          ? writeOutput(adminUrl)
          : writeFile(adminUrl, path ?? (await defaultPath(dataDir))));
        await (isCopy ? leaveUnrecorded(dataDir) : record(adminUrl, made));
      });
    } catch (error) {
      throw new Error(`No backup was made: ${reasonOf(error)}`, { cause: error });
    }
  },
};

const reasonOf = (error: unknown): string =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? 'the disk of the file is full. Name a file on another disk.'
    : (error as Error).message;

/** What was written: its size, and whether it was read back. */
type Made = { readonly rows: number; readonly bytes: number | null; readonly isVerified: boolean };

const writeOutput = async (adminUrl: string): Promise<Made> => ({
  rows: sumOf(await writeBackup(adminUrl, process.stdout, say)),
  bytes: null,
  isVerified: false,
});

/** Standard output may be the backup. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const leaveUnrecorded = (dataDir: string): void =>
  say(
    `The console will not show this backup, because nothing can be written to the full disk of ${dataDir}.`,
  );

/** A backup that cannot be recorded is a good one nevertheless. */
const record = async (adminUrl: string, made: Made): Promise<void> => {
  try {
    await recordBackup(adminUrl, { finishedAt: new Date(), ...made });
  } catch (error) {
    say(
      `The console will not show this backup, because it could not be recorded: ${(error as Error).message}`,
    );
  }
};

const sumOf = (rows: BackupSummary): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);

/** The file gets its name only once it is written completely and verified. */
const writeFile = async (adminUrl: string, path: string): Promise<Made> => {
  // A unique name: the remains of a killed backup are not in the way.
  const staging = `${path}.${randomBytes(4).toString('hex')}.part`;
  return whileRunning(
    () => rm(staging, { force: true }),
    async () => {
      // Opened here: the stream would report a failure before anybody listens to it.
      const file = await open(staging, 'wx', 0o600);
      const summary = await writeBackup(adminUrl, file.createWriteStream({ flush: true }), say);
      await verifyBackup(staging);
      const { size: bytes } = await stat(staging);
      await giveName(staging, path);
      const rows = sumOf(summary);
      print(
        `${path}: ${rows} rows of ${Object.keys(summary).length} tables, written and verified.`,
      );
      return { rows, bytes, isVerified: true };
    },
  );
};

/** In the data directory, not in the checkout, where it could be committed. */
const defaultPath = async (dataDir: string): Promise<string> => {
  const folder = join(await makeDataDirectory(dataDir), 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `commonplace-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`);
};
