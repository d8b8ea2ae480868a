import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { lockFile } from './lock-file.ts';
import { hasStartTime, processStartTime } from './process-start-time.ts';

const holderFile = z.object({ pid: z.number(), birth: z.string().nullable() });

/** Another process has the lock; `holder` is its id if that could be read. */
export class LockedError extends Error {
  readonly holder: number | null;
  constructor(path: string, holder: number | null) {
    super(`${path} is locked by ${holder === null ? 'another process' : `process ${holder}`}`);
    this.name = 'LockedError';
    this.holder = holder;
  }
}

/**
 * Takes a lock for this process and returns the function that releases it. Throws `LockedError` if another
 * process has it.
 *
 * The lock is an operating-system lock on `<path>.held`. It ends with its process, so there are no stale locks to
 * detect and remove, which is where lock files race. `path` has the id of the holder, for error messages. It does
 * not decide anything, except that a running process of an older release, which had only this file, is respected.
 */
export const takeFileLock = async (path: string): Promise<() => Promise<void>> => {
  const unlock = lockFile(`${path}.held`);
  if (unlock === null) {
    throw new LockedError(path, await readHolder(path));
  }
  try {
    const holder = await readHolder(path);
    if (holder !== null && holder !== process.pid) {
      throw new LockedError(path, holder);
    }
    await writeHolder(path);
  } catch (error) {
    unlock();
    throw error;
  }
  return async () => {
    try {
      await rm(path, { force: true });
    } finally {
      unlock();
    }
  };
};

/** The process that has the lock, or null; for messages and waiting times, not to decide who has it. */
export const readHolder = async (path: string): Promise<number | null> => {
  const content = holderFile.safeParse(parseJson(await readIfPresent(path)));
  if (!content.success) {
    return null;
  }
  const { pid, birth } = content.data;
  return birth !== null && (await hasStartTime(pid, birth)) ? pid : null;
};

/** Whether the last holder was killed: it ended without releasing the lock. */
export const wasLockAbandoned = async (path: string): Promise<boolean> =>
  (await readIfPresent(path)) !== null && (await readHolder(path)) === null;

/** Written to a temporary file and renamed, so that it is never incomplete. Only the holder writes. */
const writeHolder = async (path: string): Promise<void> => {
  const holder = { pid: process.pid, birth: await processStartTime(process.pid) };
  try {
    await writeFile(`${path}.new`, JSON.stringify(holder), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    await rm(`${path}.new`, { force: true });
    // The lock holds without it, and a backup of what is on a full disk needs the lock.
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error;
    }
  }
};

const readIfPresent = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
};

const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
};
