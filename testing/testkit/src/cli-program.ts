import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');
const sources = join(root, 'packages/cli/src/main.ts');
const built = join(root, 'packages/cli/dist/main.js');

/** Says the process of Jest to its workers. */
const variable = 'COMMONPLACE_TEST_PROGRAM';

/** Finds out once whether the program is built from the sources as they are. */
export const findCliProgram = async (): Promise<void> => {
  const check = pathToFileURL(join(root, 'tools/packages/are-packages-built.ts')).href;
  const { arePackagesBuilt } = (await import(check)) as {
    readonly arePackagesBuilt: () => Promise<boolean>;
  };
  const isBuilt = existsSync(built) && (await arePackagesBuilt());
  // oxlint-disable-next-line node/no-process-env -- workers inherit the environment, nothing else
  process.env[variable] = isBuilt ? built : sources;
};

/**
 * The program `commonplace` that tests run: as people install it, which starts in a quarter of the processor time; its sources
 * where they have changed since it was built.
 */
export const cliProgram = (): string => {
  // oxlint-disable-next-line node/no-process-env -- set before any worker starts
  const program = process.env[variable];
  return program ?? sources;
};
