import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildChecks } from './prepare-builds.ts';

/**
 * Loads everything that a start of the system loads, so that the compile cache contains it, and exits. A process
 * that finds all its files in the cache does not load Node's TypeScript compiler (16 MB).
 */
const [servicesDir = '', ...names] = process.argv.slice(2);
const exit = process.exit.bind(process);
// A service without configuration exits at its first statement. By then all its modules are loaded.
process.exit = () => {
  throw new Error('not configured');
};
const files = [
  ...names.map((name) => join(servicesDir, name, 'src', 'main.ts')),
  join(servicesDir, 'gateway', 'src', 'observability', 'metrics.ts'),
  ...globSync(join(servicesDir, '*', 'migrations', '*.ts')),
];
await Promise.allSettled([
  ...files.map((file) => import(pathToFileURL(file).href)),
  import('./run.ts'),
  ...buildChecks.map((check) => import(check)),
  import('@commonplace/http/metrics'),
  import('@commonplace/migrations/main'),
  import('@commonplace/migrations/migrate-service'),
]);
// Modules that failed without configuration may have set another exit code.
exit(0);
