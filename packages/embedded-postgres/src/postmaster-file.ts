import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes about itself into its data directory. */
export type PostmasterFile = { readonly pid: number; readonly isReady: boolean };

/** Reads `postmaster.pid`: the process id is in its first line, the state in its eighth. */
export const readPostmasterFile = async (pgdata: string): Promise<PostmasterFile | null> => {
  const text = await readFile(postmasterFilePath(pgdata), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : null;
};

/** The place of the lock file PostgreSQL keeps in every data directory. */
export const postmasterFilePath = (pgdata: string): string => join(pgdata, 'postmaster.pid');
