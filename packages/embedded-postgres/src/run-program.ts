import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { mallocEnvironment } from './malloc-environment.ts';

/** An account of the operating system to run a program as. */
export type OsUser = { readonly uid: number; readonly gid: number };

/** The result of a program. `output` is what it wrote to both streams. */
export type ProgramResult = { readonly code: number | null; readonly output: string };

/**
 * Runs a program, as another user if one is given. It does not inherit our environment: a stray PGDATA, PGPORT or
 * LC_ALL must not change what PostgreSQL does.
 */
export const runProgram = (
  program: string,
  args: readonly string[],
  user: OsUser | null = null,
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      ...programOptions(user),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output: output.trim() }));
  });

/** User and environment for PostgreSQL's programs. */
export const programOptions = (user: OsUser | null): SpawnOptions => {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'];
  const env = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  return { ...user, env: { ...env, ...mallocEnvironment, LC_ALL: 'C' }, windowsHide: true };
};
