import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A process of its own: loads the applications of the services named on the command line, and what starts
 * them, and ends. What the compile cache learns of it, those processes need not find out again.
 */
const [servicesDir = '', ...names] = process.argv.slice(2);
await Promise.all([
  ...names.map((name) => import(pathToFileURL(join(servicesDir, name, 'src', 'app.ts')).href)),
  import('./run.ts'),
  import('@commonplace/migrations'),
  import('@commonplace/migrations/migrate-service'),
]);
