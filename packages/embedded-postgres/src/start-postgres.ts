import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDataDirectory } from './ensure-data-directory.ts';
import { findFreePort } from './find-free-port.ts';
import { preparePlace } from './prepare-place.ts';
import type { Place } from './prepare-place.ts';
import { runServer } from './run-server.ts';
import type { Server } from './run-server.ts';
import { serverSettings } from './server-settings.ts';
import { stopLeftover, stopServer } from './stop-leftover.ts';

/** Options of the embedded PostgreSQL. */
export type PostgresOptions = {
  /** Folder for `pgdata`, `postgres-password` and `postgres.log`; created if missing. */
  readonly dataDir: string;
  /** Default: a free port. */
  readonly port?: number;
  /** More server settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The superuser's password for a new database; default: random. An existing database keeps its own. */
  readonly password?: string;
  /** False trades durability for speed; for tests only. */
  readonly fsync?: boolean;
  readonly log?: (line: string) => void;
  /** Gives the start up, which may be a long recovery. */
  readonly signal?: AbortSignal;
};

/** A PostgreSQL that accepts connections. */
export type RunningPostgres = {
  /** Connection URL of the superuser, database `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for any reason. */
  readonly exited: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a data directory. The caller must hold the lock of the data directory: a
 * server that runs there is assumed to be left by a killed process, and is stopped.
 */
export const startPostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const log = options.log ?? (() => undefined);
  const fsync = options.fsync ?? true;
  const place = await preparePlace(options.dataDir, log);
  await stopLeftover(place, log);
  const password = await ensureDataDirectory(place, { password: options.password, fsync, log });
  const { server, port } = await runWithRetries(place, { ...options, fsync });
  const url = new URL(`postgresql://127.0.0.1:${port}/postgres`);
  url.username = 'postgres';
  url.password = encodeURIComponent(password);
  // Another process may have the id of a server that has ended.
  let hasEnded = false;
  void server.exited.then(() => {
    hasEnded = true;
  });
  let stopped: Promise<void> | undefined;
  return {
    url: url.href,
    port,
    pid: server.pid,
    exited: server.exited,
    stop: () => (stopped ??= hasEnded ? Promise.resolve() : stopServer(place, server.pid)),
  };
};

/**
 * Retries a failed start: another program may have taken the port, and the last sessions of a killed server must
 * end before a new server can start.
 */
const runWithRetries = async (
  place: Place,
  options: PostgresOptions & { readonly fsync: boolean },
): Promise<{ server: Server; port: number }> => {
  const { settings = {}, fsync, signal } = options;
  for (let retriesLeft = 3; ; retriesLeft -= 1) {
    const port = options.port ?? (await findFreePort());
    try {
      const server = await runServer(place, serverSettings({ port, fsync, settings }), signal);
      return { server, port };
    } catch (error) {
      if (retriesLeft === 0 || signal?.aborted) {
        throw error;
      }
      await sleep(500);
    }
  }
};
