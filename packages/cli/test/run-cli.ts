import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';

const main = cliProgram();

/** A running instance of the program under test. */
export type RunningCli = {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, or the signal that killed it. */
  readonly ended: Promise<number | string | null>;
};

const started = new Set<ChildProcess>();

/** Starts the real program with this environment and a PATH, by a command that replaces itself with it if one is given. */
export const runCli = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  starter: readonly string[] = [],
): RunningCli => {
  const [program = process.execPath, ...others] = [...starter, process.execPath, main, ...args];
  const child = spawn(program, others, {
    env: { ...nodeEnvironment(), HOME: '/tmp', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended: once(child, 'close').then(([code, signal]) => {
      started.delete(child);
      return (code ?? signal) as number | string | null;
    }),
  };
};

/** Ends programs left by a failed test. SIGTERM lets them end their commands, which have own process groups. */
export const stopLeftovers = async (): Promise<void> => {
  await Promise.all(
    [...started].map(async (child) => {
      child.kill('SIGTERM');
      await once(child, 'close');
    }),
  );
};

/** The command line of a Node program. */
export const script = (source: string): string[] => ['--', process.execPath, '-e', source];
