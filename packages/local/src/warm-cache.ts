import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A process of its own: loads the applications of the services named on the command line, and ends. What
 * the compile cache learns of it, the services need not find out, each for itself and all at once.
 */
const [servicesDir = '', ...names] = process.argv.slice(2);
await Promise.all(
  names.map((name) => import(pathToFileURL(join(servicesDir, name, 'src', 'app.ts')).href)),
);
