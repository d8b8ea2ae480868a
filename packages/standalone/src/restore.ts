import { fileURLToPath } from 'node:url';
import { withFileValues } from './environment-files.ts';
import { loadSecrets, secretNames } from './load-secrets.ts';
import { runToEnd } from './run-to-end.ts';
import { withDatabase } from './with-database.ts';

/** `pnpm restore <file> [--force]` and `pnpm restore --adopt`: while the system does not run. */
const command = fileURLToPath(import.meta.resolve('@commonplace/migrations/restore'));
/** A backup may be restored into a new data directory; there is nothing to adopt in one. */
const needs = { isExclusive: true, mayCreate: !process.argv.includes('--adopt') };

try {
  const values = withFileValues(process.env, ['DATABASE_URL', 'DATA_DIR', ...secretNames]);
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  process.exitCode = await withDatabase(values, needs, async ({ adminUrl, dataDir }) => {
    const secrets = await loadSecrets(dataDir, given);
    const env = { ...values, ...secrets, DATABASE_URL: adminUrl };
    return runToEnd([command, ...process.argv.slice(2)], { env });
  });
} catch (error) {
  process.stderr.write(`Nothing was changed: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
