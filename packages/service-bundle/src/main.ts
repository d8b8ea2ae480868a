import { join } from 'node:path';
import { bundleService } from './bundle-service.ts';

/*
 * Bundles the services named: node packages/service-bundle/src/main.ts notes. The installation and the images of
 * containers run this. Without it the sources run as they are.
 */
const root = join(import.meta.dirname, '../../..');
try {
  for (const name of process.argv.slice(2)) {
    await bundleService({ root, serviceDir: join(root, 'services', name) });
  }
} catch (error) {
  process.stderr.write(
    `The services were not bundled; they run from their sources. ${(error as Error).message}\n`,
  );
  process.exitCode = 1;
}
