import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';

/** Runs a program of Node's, with our output as its own if nothing else is said; answers its exit code. */
export const runToEnd = (args: readonly string[], options: SpawnOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
