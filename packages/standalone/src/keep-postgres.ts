import { join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import type { RunningPostgres } from '@commonplace/embedded-postgres';
import { keepRunning } from './keep-running.ts';
import type { Kept } from './keep-running.ts';

type DatabaseOptions = {
  readonly dataDir: string;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** The embedded PostgreSQL, kept running. Its URL stays the same when it is started again. */
export type Database = { readonly kept: Kept; readonly url: string; readonly port: number };

/** Starts the embedded PostgreSQL of the data directory and keeps it running on its first port. */
export const keepPostgres = async (options: DatabaseOptions): Promise<Database> => {
  const { fsync, log, signal } = options;
  const dataDir = join(options.dataDir, 'postgres');
  let running: RunningPostgres | undefined;
  const launch = async () => {
    running = await startPostgres({
      dataDir,
      fsync,
      log,
      ...(running === undefined ? {} : { port: running.port }),
    });
    const { pid, exited, stop } = running;
    return { pid, stop, exited: exited.then(() => `see ${join(dataDir, 'postgres.log')}`) };
  };
  const kept = await keepRunning({ name: 'postgres', launch, log, signal, firstTries: 1 });
  if (running === undefined) {
    throw new Error('PostgreSQL was not started.');
  }
  return { kept, url: running.url, port: running.port };
};
