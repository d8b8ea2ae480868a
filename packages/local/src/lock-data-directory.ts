import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent } from './data-directory.ts';
import { processBirth } from './process-birth.ts';

const lockContent = z.object({ pid: z.number(), birth: z.string().nullable() });

/**
 * Takes the data directory for this process and answers how to give it back. A lock whose process is
 * gone, or whose id another process has by now, is taken over.
 */
export const lockDataDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  const path = lockPath(dataDir);
  const staging = `${path}.${process.pid}`;
  const birth = await processBirth(process.pid);
  await writeFile(staging, JSON.stringify({ pid: process.pid, birth }), { mode: 0o600 });
  try {
    await takeLock(path, staging, dataDir);
  } finally {
    await rm(staging, { force: true });
  }
  return () => rm(path, { force: true });
};

/** Whether the last start on this data directory ended without giving the lock back: it was killed. */
export const hasStaleLock = async (dataDir: string): Promise<boolean> => {
  const path = lockPath(dataDir);
  return (await readIfPresent(path)) !== null && (await livingHolder(path)) === null;
};

const lockPath = (dataDir: string): string => join(dataDir, 'supervisor.lock');

/** A hard link is made whole or not at all, and never over another one. */
const takeLock = async (path: string, staging: string, dataDir: string): Promise<void> => {
  for (;;) {
    try {
      await link(staging, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    const holder = await livingHolder(path);
    if (holder !== null) {
      throw new Error(
        `Another Commonplace (process ${holder}) uses ${dataDir}. Stop it first, or choose another DATA_DIR.`,
      );
    }
    await rm(path, { force: true });
  }
};

const livingHolder = async (path: string): Promise<number | null> => {
  const text = await readIfPresent(path);
  const content = lockContent.safeParse(parseJson(text ?? ''));
  if (!content.success) {
    return null;
  }
  const { pid, birth } = content.data;
  return birth !== null && (await processBirth(pid)) === birth ? pid : null;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
