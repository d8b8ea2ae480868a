import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { processEnvironment } from './service-environment.ts';

const build = join(import.meta.dirname, '../../console/build/main.ts');

type PrepareOptions = {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/**
 * Builds the operators' console if it is missing or stale. In a process of its own, beside the start
 * of PostgreSQL: when it is fresh that costs nothing, and a failure costs the console, not the system.
 */
export const prepareConsole = ({ dataDir, log, signal }: PrepareOptions): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [build], {
      env: processEnvironment(dataDir),
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
