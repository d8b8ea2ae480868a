import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). */
const busy = 5;

/** What is held by this process. Here so that nothing is closed because nobody refers to it any more. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file with a lock of the operating system, or gives null at once when another process has it. Gives
 * the function that releases it; the kernel does so when the process ends, also by SIGKILL. The file is empty
 * and stays: to remove it would let two processes lock two files of one name.
 *
 * Node.js has no flock. SQLite, which comes with it, locks files on every system it knows. RESERVED (`begin
 * immediate`) is held by one connection at a time; of many that begin at once one gets it, which EXCLUSIVE does
 * not promise. Nothing is ever written. Never open the file in another way: closing it would release the lock
 * (POSIX locks, https://sqlite.org/howtocorrupt.html section 2.2).
 */
export const lockFile = (path: string): (() => void) | null => {
  const isNew = !existsSync(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  if (isNew) {
    chmodSync(path, 0o600);
  }
  try {
    file.exec('begin immediate');
  } catch (error) {
    file.close();
    if ((error as { errcode?: unknown }).errcode === busy) {
      return null;
    }
    throw error;
  }
  held.add(file);
  return () => {
    if (held.delete(file)) {
      file.close();
    }
  };
};
