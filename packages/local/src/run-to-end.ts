import { spawn } from 'node:child_process';

/** Runs a program of Node's with our output as its own; answers its exit code. */
export const runToEnd = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
