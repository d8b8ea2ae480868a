import { fileURLToPath } from 'node:url';
import { runToEnd } from './run-to-end.ts';
import { withDatabase } from './with-database.ts';

/** `pnpm backup [file]`: while the system runs, or while it does not. */
const command = fileURLToPath(import.meta.resolve('@commonplace/migrations/backup'));
const path =
  process.argv[2] ?? `commonplace-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`;

try {
  process.exitCode = await withDatabase(process.env, false, ({ adminUrl }) =>
    runToEnd([command, path], { env: { ...process.env, DATABASE_URL: adminUrl } }),
  );
} catch (error) {
  process.stderr.write(`No backup was made: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
