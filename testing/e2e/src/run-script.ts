import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCacheVariables } from '@commonplace/testkit';

/** Exit code and output of a program. */
export type Ended = {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a command of the admin CLI, as `pnpm <command>` does, with these variables only. */
export const runAdmin = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> => runScript('packages/admin/src/main.ts', [command, ...args], env);

/** Runs a file of the repository with Node; its environment is these variables. */
export const runScript = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const path = fileURLToPath(new URL(`../../../${file}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...compileCacheVariables(), ...env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ exitCode: code ?? 1, stdout, stderr }));
  });
};
