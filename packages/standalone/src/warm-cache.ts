import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { consoleCheck } from './prepare-console.ts';

/**
 * A process of its own: loads what starting a system loads, and ends. What the compile cache learns of it, the
 * processes of the system need not find out again, and one that finds every file there does not even load
 * Node's compiler for TypeScript (16 MB).
 */
const [servicesDir = '', ...names] = process.argv.slice(2);
const exit = process.exit.bind(process);
// Without configuration a service gives up at its first line. By then all that it needs is loaded.
process.exit = () => {
  throw new Error('not configured');
};
const files = [
  ...names.map((name) => join(servicesDir, name, 'src', 'main.ts')),
  join(servicesDir, 'gateway', 'src', 'metrics.ts'),
  ...globSync(join(servicesDir, '*', 'migrations', '*.ts')),
];
await Promise.allSettled([
  ...files.map((file) => import(pathToFileURL(file).href)),
  import('./load-first.ts'),
  import('./run.ts'),
  import(consoleCheck),
  import('@commonplace/http/metrics'),
  import('@commonplace/migrations/main'),
  import('@commonplace/migrations/migrate-service'),
]);
exit();
