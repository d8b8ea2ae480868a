import { join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import type { RunningPostgres } from '@commonplace/embedded-postgres';
import { supervise } from './supervise.ts';
import type { SupervisedProcess } from './supervise.ts';

type DatabaseOptions = {
  readonly dataDir: string;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** The supervised embedded PostgreSQL. A restart does not change its URL. */
export type Database = {
  readonly supervised: SupervisedProcess;
  readonly url: string;
  readonly port: number;
};

/** Starts the embedded PostgreSQL of the data directory and supervises it. Every restart uses the port of the first start. */
export const supervisePostgres = async (options: DatabaseOptions): Promise<Database> => {
  const { fsync, log, signal } = options;
  const dataDir = join(options.dataDir, 'postgres');
  let running: RunningPostgres | undefined;
  const launch = async (stopping: AbortSignal) => {
    running = await startPostgres({
      dataDir,
      fsync,
      log,
      signal: stopping,
      ...(running === undefined ? {} : { port: running.port }),
    });
    const { pid, exited, stop } = running;
    return { pid, stop, exited: exited.then(() => `see ${join(dataDir, 'postgres.log')}`) };
  };
  const supervised = await supervise({ name: 'postgres', launch, log, signal, startAttempts: 1 });
  if (running === undefined) {
    throw new Error('PostgreSQL was not started.');
  }
  return { supervised, url: running.url, port: running.port };
};
