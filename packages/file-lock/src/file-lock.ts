import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { lockFile } from './lock-file.ts';
import { processStartTime } from './process-start-time.ts';

const holderFile = z.object({ pid: z.number(), birth: z.string().nullable() });

/** Another process has the lock; `holder` is its id where it could be read. */
export class LockedError extends Error {
  readonly holder: number | null;
  constructor(path: string, holder: number | null) {
    super(`${path} is locked by ${holder === null ? 'another process' : `process ${holder}`}`);
    this.name = 'LockedError';
    this.holder = holder;
  }
}

/**
 * Takes a lock for this process and gives the function that releases it. Throws `LockedError` when another
 * process has it.
 *
 * The lock is one of the operating system on `<path>.held`: it ends with its process, however that ends, so
 * there are no stale locks to detect and none to remove, which is where locks made of files race. `path` itself
 * holds the id of the process, for people and for `readLivingHolder`; nothing is decided by it, except that a
 * living process of a release that had no other lock is respected.
 */
export const takeFileLock = async (path: string): Promise<() => Promise<void>> => {
  const unlock = lockFile(`${path}.held`);
  if (unlock === null) {
    throw new LockedError(path, await readLivingHolder(path));
  }
  try {
    const holder = await readLivingHolder(path);
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

/** The process that has the lock, or null: for messages and waiting times, not for deciding who has it. */
export const readLivingHolder = async (path: string): Promise<number | null> => {
  const content = holderFile.safeParse(parseJson(await readIfPresent(path)));
  if (!content.success) {
    return null;
  }
  const { pid, birth } = content.data;
  return birth !== null && (await processStartTime(pid)) === birth ? pid : null;
};

/** Whether the last holder ended without releasing the lock: it was killed. */
export const wasLockAbandoned = async (path: string): Promise<boolean> =>
  (await readIfPresent(path)) !== null && (await readLivingHolder(path)) === null;

/** Only the holder writes, so one name beside is enough; the file is never seen half-written. */
const writeHolder = async (path: string): Promise<void> => {
  const holder = { pid: process.pid, birth: await processStartTime(process.pid) };
  await writeFile(`${path}.new`, JSON.stringify(holder), { mode: 0o600 });
  await rename(`${path}.new`, path);
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
