import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processEnvironment } from './service-environment.ts';

const buildDir = join(import.meta.dirname, '../../console/build');
/** Checks whether the console is built. It is not a dependency, because production does not install it. */
export const consoleCheck = pathToFileURL(join(buildDir, 'is-console-built.ts')).href;

type PrepareOptions = {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** Builds the operators' console if it is missing or stale. Without it the rest of the system still works. */
export const prepareConsole = async (options: PrepareOptions): Promise<void> => {
  if (!(await isBuilt().catch(() => false))) {
    await build(options);
  }
};

const isBuilt = async (): Promise<boolean> => {
  const check = (await import(consoleCheck)) as { isConsoleBuilt: () => Promise<boolean> };
  return check.isConsoleBuilt();
};

/** A separate process, so that the memory of the build is released. */
const build = ({ log, signal }: PrepareOptions): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(buildDir, 'main.ts')], {
      env: processEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => log(text.trimEnd()));
    child.once('error', (error) => {
      log(`The console could not be built: ${error.message}`);
      resolve();
    });
    child.once('close', () => resolve());
  });
