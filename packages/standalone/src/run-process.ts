import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';

/** Runs a Node program and returns its exit code. Unless the options say otherwise it inherits our output. */
export const runProcess = (args: readonly string[], options: SpawnOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
