import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

/** Exit code and output of a command. */
export type CommandResult = { exitCode: number; output: string };

/** Runs a program of the workspace in a folder (default: the repository's root) and collects its output. */
export function runCommand(
  program: string,
  args: readonly string[],
  { folder = repositoryRoot } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: workspaceEnvironment(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) =>
      resolve({ exitCode: 127, output: `${program}: ${error.message}\n` }),
    );
    child.on('close', (code, signal) => {
      resolve({
        exitCode: code ?? 1,
        output: signal ? `${output}${program} died of ${signal}\n` : output,
      });
    });
  });
}

/**
 * The caller's environment with the programs of the folder's package, those of the workspace and the pinned Node first
 * in PATH, the compiled code of earlier runs, and the options that Jest needs to load ES modules.
 */
export function workspaceEnvironment(folder = repositoryRoot): NodeJS.ProcessEnv {
  const { PATH: path = '', NODE_OPTIONS: nodeOptions = '', ...others } = process.env;
  const programs = [folder, repositoryRoot].map((each) => join(each, 'node_modules', '.bin'));
  return {
    ...others,
    PATH: [...programs, path].join(delimiter),
    NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules', '.cache', 'commonplace'),
    NODE_OPTIONS: `${nodeOptions} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
  };
}

/** Runs a program of the workspace with inherited output; resolves with its exit code. */
export function run(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: repositoryRoot,
      env: workspaceEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
