import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { codeOf, describeError } from '../describe-error.ts';

/** How a command ended, with the exit codes of a shell. */
export type CommandEnd = {
  /** The command's own code, 128 + n after signal n, 127 if it does not exist, 126 if it cannot run. */
  readonly exitCode: number;
  /** False when it could not be started. */
  readonly hasRun: boolean;
  /** For the log: `exited with 1`. */
  readonly description: string;
};

/** A started command, and its controls. */
export type RunningCommand = {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<CommandEnd>;
  /** Sends a signal to the command's process group. */
  readonly send: (signal: NodeJS.Signals) => void;
  /** Ends the command's process group: SIGTERM, and SIGKILL after `graceMs`. */
  readonly end: (graceMs: number) => void;
};

/**
 * Starts a command without a shell, in its own process group. So Ctrl-C reaches it only once, forwarded
 * by the heartbeat, and its child processes can be ended with it.
 */
export const runCommand = (
  [program, ...args]: readonly [program: string, ...args: string[]],
  env: Record<string, string>,
): RunningCommand => {
  const child = spawn(program, args, { env, stdio: 'inherit', detached: true, shell: false });
  let hasEnded = false;
  let killTimer: NodeJS.Timeout | undefined;
  const ended = new Promise<CommandEnd>((resolve) => {
    child.on('error', (error) => resolve(notStarted(error)));
    child.on('exit', (code, signal) => {
      hasEnded = true;
      if (killTimer !== undefined) {
        clearTimeout(killTimer);
        signalGroup(child, 'SIGKILL');
      }
      resolve(endOf(code, signal));
    });
  });
  return {
    pid: child.pid,
    ended,
    send: (signal) => {
      if (!hasEnded) {
        signalGroup(child, signal);
      }
    },
    end: (graceMs) => {
      if (!hasEnded && killTimer === undefined) {
        signalGroup(child, 'SIGTERM');
        killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
      }
    },
  };
};

/** The end of a command that could not be started. */
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
    // ESRCH: the group is empty. EPERM: its remaining processes run as another user.
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
        description: `was killed by ${signal}`,
      };
