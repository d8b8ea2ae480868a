import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The part of `postmaster.pid` that we use. */
export type PostmasterFile = { readonly pid: number; readonly isReady: boolean };

/** Reads `postmaster.pid`: the process id is in its first line, the state in its eighth. */
export const readPostmasterFile = async (pgdata: string): Promise<PostmasterFile | null> => {
  const text = await readFile(postmasterFilePath(pgdata), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : null;
};

/** The lock file of PostgreSQL in a data directory. */
export const postmasterFilePath = (pgdata: string): string => join(pgdata, 'postmaster.pid');
