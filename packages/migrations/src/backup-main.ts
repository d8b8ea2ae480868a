import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { parseEnv, postgresUrl } from '@commonplace/config';
import { z } from 'zod';
import { verifyBackup } from './backup/verify-backup.ts';
import { writeBackup } from './backup/write-backup.ts';

/** What people are told goes to standard output. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Backs up the database of DATABASE_URL into the file that the argument names, or to standard output for
 * `-`. A file appears under its name only when it was written, and read again to its end.
 */
const env = parseEnv(z.object({ DATABASE_URL: postgresUrl }));
const path = process.argv[2] ?? '-';
// A name of its own: what a killed backup left behind is in nobody's way.
const staging = `${path}.${randomBytes(4).toString('hex')}.part`;
try {
  if (path === '-') {
    await writeBackup(env.DATABASE_URL, process.stdout);
  } else {
    const file = createWriteStream(staging, { flags: 'wx', mode: 0o600, flush: true });
    const rows = await writeBackup(env.DATABASE_URL, file);
    await verifyBackup(staging);
    await rename(staging, path);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    say(`${path}: ${total} rows of ${Object.keys(rows).length} tables, read back and whole.`);
  }
} catch (error) {
  await rm(staging, { force: true });
  process.stderr.write(`No backup was made: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
