import { join } from 'node:path';
import { LockedError, takeFileLock, wasLockAbandoned } from '@commonplace/file-lock';

/** Locks the data directory for this process and returns the function that unlocks it. */
export const lockDataDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  try {
    return await takeFileLock(lockPath(dataDir));
  } catch (error) {
    throw error instanceof LockedError ? inUse(dataDir, error) : error;
  }
};

/** Whether the last supervisor of this data directory was killed. */
export const hasStaleLock = (dataDir: string): Promise<boolean> =>
  wasLockAbandoned(lockPath(dataDir));

const lockPath = (dataDir: string): string => join(dataDir, 'supervisor.lock');

const inUse = (dataDir: string, error: LockedError): Error => {
  const who = error.holder === null ? '' : ` (process ${error.holder})`;
  return new Error(
    `Another Commonplace${who} uses ${dataDir}. Stop it first, or choose another DATA_DIR.`,
    { cause: error },
  );
};
