import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { nodeFlags } from './node-flags.ts';
import { RefusedError, type RunningProcess } from './supervise.ts';

type ServiceLaunch = {
  /** The file Node runs. */
  readonly entry: string;
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Receives the output of the process; default: our standard error. */
  readonly output?: ((text: string) => void) | undefined;
  readonly onSetupLink?: ((url: string) => void) | undefined;
  readonly signal: AbortSignal;
};

/** The messages of a service over its IPC channel. */
const serviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number() }),
  z.object({ type: z.literal('setup_link'), url: z.string() }),
  z.object({ type: z.literal('refused'), message: z.string() }),
]);

const readySecondsMax = 30;
/** Longer than a service drains its connections. */
const stopSecondsMax = 25;

/**
 * Starts a service and resolves when it reports that it listens. It has its own process group, so that Ctrl+C and a
 * closed terminal reach only the supervisor, which stops everything in order. A service ends when its IPC channel
 * closes, so it does not outlive the supervisor.
 */
export const launchService = async (options: ServiceLaunch): Promise<RunningProcess> => {
  const { signal } = options;
  signal.throwIfAborted();
  const target = options.output === undefined ? 2 : 'pipe';
  const stdio: StdioOptions = ['ignore', target, target, 'ipc'];
  const child = spawn(process.execPath, [...nodeFlags, options.entry], {
    env: options.env,
    stdio,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { output } = options;
  if (output !== undefined) {
    child.stdout?.setEncoding('utf8').on('data', output);
    child.stderr?.setEncoding('utf8').on('data', output);
  }
  const exited = exitOf(child);
  const stop = () => stopChild(child, exited);
  const problem = await Promise.race([
    readiness(child, options.onSetupLink).catch((refusal: Error) => refusal),
    exited.then((how) => `it ended (${how}) before it was ready`),
    timeLimit(signal),
  ]);
  if (problem !== null) {
    await stop();
    throw problem instanceof Error ? problem : new Error(problem);
  }
  return { pid: child.pid ?? 0, exited, stop };
};

const exitOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });

/** Resolves when the service listens; rejects if it refuses its configuration. */
const readiness = (child: ChildProcess, onSetupLink: ServiceLaunch['onSetupLink']): Promise<null> =>
  new Promise((resolve, reject) => {
    child.on('message', (data) => {
      const message = serviceMessage.safeParse(data).data;
      if (message?.type === 'ready') {
        resolve(null);
      }
      if (message?.type === 'setup_link') {
        onSetupLink?.(message.url);
      }
      if (message?.type === 'refused') {
        reject(new RefusedError(message.message));
      }
    });
  });

const timeLimit = async (signal: AbortSignal): Promise<string> => {
  await sleep(readySecondsMax * 1000, undefined, { signal, ref: false }).catch(() => undefined);
  return signal.aborted ? 'its start was given up' : `it was not ready within ${readySecondsMax} s`;
};

const stopChild = async (child: ChildProcess, exited: Promise<string>): Promise<void> => {
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), stopSecondsMax * 1000);
  await exited;
  clearTimeout(kill);
};
