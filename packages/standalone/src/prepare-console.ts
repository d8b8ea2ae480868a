import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processEnvironment } from './service-environment.ts';

const buildDir = join(import.meta.dirname, '../../console/build');
/** Says whether the console is built. The console is not among our packages: for production it is not installed. */
export const consoleCheck = pathToFileURL(join(buildDir, 'is-console-built.ts')).href;

type PrepareOptions = {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** Builds the operators' console if it is missing or stale. A failure costs the console, not the system. */
export const prepareConsole = async (options: PrepareOptions): Promise<void> => {
  if (!(await isBuilt().catch(() => false))) {
    await build(options);
  }
};

const isBuilt = async (): Promise<boolean> => {
  const check = (await import(consoleCheck)) as { isConsoleBuilt: () => Promise<boolean> };
  return check.isConsoleBuilt();
};

/** In a process of its own: what building takes is given back with it. */
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
