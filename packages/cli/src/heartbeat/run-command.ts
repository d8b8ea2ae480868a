import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { codeOf, describeError } from '../describe-error.ts';

/** How a command ended, in the words of a shell. */
export type CommandEnd = {
  /** Its own, 128 + n after signal n, 127 when there is no such program, 126 when it cannot run. */
  readonly exitCode: number;
  /** False when it could not even be started. */
  readonly hasRun: boolean;
  /** For people: `exited with 1`. */
  readonly description: string;
};

/** A command that was started, and the ways to reach it. */
export type RunningCommand = {
  readonly ended: Promise<CommandEnd>;
  /** Passes a signal on to the command and everything it started. */
  readonly send: (signal: NodeJS.Signals) => void;
  /** Ends the command and everything it started: politely, and after the grace for certain. */
  readonly end: (graceMs: number) => void;
};

/**
 * Starts a command without a shell, in a process group of its own: a Ctrl-C then reaches it once,
 * through us, and its own children can be ended with it.
 */
export const runCommand = (
  [program, ...args]: readonly [program: string, ...args: string[]],
  env: Record<string, string>,
): RunningCommand => {
  const child = spawn(program, args, { env, stdio: 'inherit', detached: true, shell: false });
  let isOver = false;
  let killTimer: NodeJS.Timeout | undefined;
  const ended = new Promise<CommandEnd>((resolve) => {
    child.on('error', (error) => resolve(notStarted(error)));
    child.on('exit', (code, signal) => {
      isOver = true;
      if (killTimer !== undefined) {
        clearTimeout(killTimer);
        signalGroup(child, 'SIGKILL');
      }
      resolve(endOf(code, signal));
    });
  });
  return {
    ended,
    send: (signal) => {
      if (!isOver) {
        signalGroup(child, signal);
      }
    },
    end: (graceMs) => {
      if (!isOver && killTimer === undefined) {
        signalGroup(child, 'SIGTERM');
        killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
      }
    },
  };
};

/** The end of a command that never began. */
export const notStarted = (error: unknown): CommandEnd => ({
  exitCode: codeOf(error) === 'ENOENT' ? 127 : 126,
  hasRun: false,
  description: `could not be started: ${describeError(error)}`,
});

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) {
      process.kill(-pid, signal);
    }
  } catch (error) {
    // Nobody is left in the group, or only who has changed its user: both are out of our reach.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') {
      throw error;
    }
  }
};

const endOf = (code: number | null, signal: NodeJS.Signals | null): CommandEnd =>
  signal === null
    ? { exitCode: code ?? 1, hasRun: true, description: `exited with ${code}` }
    : {
        exitCode: 128 + constants.signals[signal],
        hasRun: true,
        description: `died of ${signal}`,
      };
