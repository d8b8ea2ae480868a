import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';

/** O_EXLOCK of macOS: opens and locks. Node has no name for it. */
const exclusiveLock = 0x20;

/** The exit code of flock(1) for a file that another process has locked. */
const busy = 1;

/**
 * `lockFile` for Node 20, which has no SQLite: takes a flock(2) lock. It belongs to the open file, which flock(1)
 * inherits from this process, so it lasts until this process closes the file or ends. It does not see the locks of
 * SQLite; processes of different versions of Node find each other by the file that names the holder.
 */
export const flockFile = (path: string): (() => void) | null => {
  const isMac = process.platform === 'darwin';
  const flags = constants.O_RDWR | constants.O_CREAT;
  let file: number;
  try {
    file = openSync(path, isMac ? flags | constants.O_NONBLOCK | exclusiveLock : flags, 0o600);
  } catch (error) {
    if (isMac && (error as NodeJS.ErrnoException).code === 'EAGAIN') {
      return null;
    }
    throw error;
  }
  if (!isMac && !lockInherited(file)) {
    closeSync(file);
    return null;
  }
  let isHeld = true;
  return () => {
    if (isHeld) {
      isHeld = false;
      closeSync(file);
    }
  };
};

const lockInherited = (file: number): boolean => {
  const { status, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file],
  });
  if (status !== 0 && status !== busy) {
    closeSync(file);
    throw new Error(
      'To lock a folder, this version of Node needs the program flock; Node 22 does not',
      {
        cause: error,
      },
    );
  }
  return status === 0;
};
