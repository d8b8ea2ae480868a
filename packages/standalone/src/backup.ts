import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataDirectory } from './data-directory.ts';
import { withFileValues } from './environment-files.ts';
import { runToEnd } from './run-to-end.ts';
import { withDatabase } from './with-database.ts';

/** `pnpm backup [file]`: while the system runs, or while it does not. */
const command = fileURLToPath(import.meta.resolve('@commonplace/migrations/backup'));
const needs = { isExclusive: false, mayCreate: false };

/** Beside the data and not in the checkout, where it could be committed. */
const defaultPath = async (dataDir: string): Promise<string> => {
  const folder = join(await makeDataDirectory(dataDir), 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `commonplace-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`);
};

try {
  const env = withFileValues(process.env, ['DATABASE_URL', 'DATA_DIR']);
  process.exitCode = await withDatabase(env, needs, async ({ adminUrl, dataDir }) => {
    const path = process.argv[2] ?? (await defaultPath(dataDir));
    return runToEnd([command, path], { env: { ...env, DATABASE_URL: adminUrl } });
  });
} catch (error) {
  process.stderr.write(`No backup was made: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
