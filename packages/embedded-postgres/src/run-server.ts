import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from './disk-space.ts';
import { endServer } from './end-server.ts';
import { keepLogSmall } from './keep-log-small.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { Place } from './prepare-place.ts';
import { readEnd } from './read-end.ts';
import { programOptions } from './run-program.ts';
import { newestProgress, startPatience } from './start-patience.ts';

/** A server that accepts connections. `exited` resolves when its process has ended. */
export type Server = { readonly pid: number; readonly exited: Promise<void> };

/** Without progress of a recovery. */
const startSecondsMax = 120;
const saidBytesMax = 1_000_000;
const logCheckMs = 60_000;

/**
 * Starts the server in its own session, so that Ctrl+C at the terminal does not stop it before the services, and
 * waits until it accepts connections. The error of a failed start ends with the last lines of the server's output.
 */
export const runServer = async (
  place: Place,
  settings: readonly string[],
  signal?: AbortSignal,
): Promise<Server> => {
  const logPath = join(place.dataDir, 'postgres.log');
  // A full disk is reported below, by what PostgreSQL says of it.
  await keepLogSmall(logPath).catch(() => undefined);
  const logStart = (await stat(logPath).catch(() => null))?.size ?? 0;
  const child = await spawnServer(place, settings, logPath);
  const { pid } = child;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const said = async () =>
    (await readEnd(logPath, { from: logStart, bytesMax: saidBytesMax })).toString();
  const problem = await waitUntilReady({ child, pgdata: place.pgdata, said, signal });
  if (pid === undefined || problem !== null) {
    const advice = (await isDiskFull(place.pgdata))
      ? `\nThe disk of ${place.pgdata} is full: free some space and start again. Nothing that was acknowledged is lost.`
      : '';
    throw new Error(
      `PostgreSQL ${problem ?? 'could not be started'}:\n${lastLines(await said())}${advice}`,
    );
  }
  keepLogSmallUntil(exited, logPath);
  return { pid, exited };
};

const spawnServer = async (
  place: Place,
  settings: readonly string[],
  logPath: string,
): Promise<ChildProcess> => {
  const log = await open(logPath, 'a', 0o600);
  const child = spawn(place.binaries.postgres, ['-D', place.pgdata, ...settings], {
    ...programOptions(place.user),
    cwd: place.pgdata,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  await log.close();
  return child;
};

type Start = {
  readonly child: ChildProcess;
  readonly pgdata: string;
  /** What the server has written to its log since. */
  readonly said: () => Promise<string>;
  readonly signal: AbortSignal | undefined;
};

/** Null when the server is ready, or else the problem. The server writes "ready" into its lock file. */
const waitUntilReady = async ({ child, pgdata, said, signal }: Start): Promise<string | null> => {
  if (child.pid === undefined) {
    return 'could not be executed';
  }
  const isPatient = startPatience(startSecondsMax * 1000, async () => newestProgress(await said()));
  const isWanted = async () => signal?.aborted !== true && isPatient();
  while (await isWanted()) {
    if (child.exitCode !== null || child.signalCode !== null) {
      return 'ended while starting';
    }
    const file = await readPostmasterFile(pgdata);
    if (file?.pid === child.pid && file.isReady) {
      return null;
    }
    await sleep(20);
  }
  await endServer(child.pid);
  return signal?.aborted
    ? 'was stopped while it started'
    : `neither accepted connections nor made progress within ${startSecondsMax} seconds`;
};

/** Looks at the log now and then while the server runs, without keeping this process alive. */
const keepLogSmallUntil = (exited: Promise<void>, logPath: string): void => {
  // A full disk must not end the process; the next time may succeed.
  const check = () => void keepLogSmall(logPath).catch(() => undefined);
  const timer = setInterval(check, logCheckMs).unref();
  void exited.then(() => clearInterval(timer));
};

const lastLines = (text: string): string => text.trim().split('\n').slice(-15).join('\n');
