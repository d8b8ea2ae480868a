import { arePackagesBuilt } from './packages/are-packages-built.ts';
import { buildTarballs } from './packages/build-tarballs.ts';
import { servedFolder } from './packages/published-packages.ts';

/*
 * Builds the tarballs that the gateway serves, unless they match the sources. The installation, `pnpm start` and the
 * image of the gateway run this.
 */
if (!(await arePackagesBuilt())) {
  process.stderr.write('Building the packages that the gateway serves\n');
  try {
    await buildTarballs(servedFolder);
  } catch (error) {
    process.stderr.write(
      `The packages could not be built, so the gateway does not serve them: ${(error as Error).message}\n`,
    );
    process.exitCode = 1;
  }
}
