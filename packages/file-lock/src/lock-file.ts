import { chmodSync, existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { flockFile } from './flock-file.ts';

/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). */
const busy = 5;

/** The locks of this process. The references keep the garbage collector from closing the files. */
const held = new Set<DatabaseSync>();

/**
 * Takes an operating-system lock on a file and returns the function that releases it, or null if another process
 * has the lock. The kernel releases it when the process ends, even by SIGKILL. The file stays empty and is never
 * removed: otherwise two processes could lock two files of the same name.
 *
 * Node.js has no flock. SQLite, which is part of it, locks files on every platform. One connection at a time has
 * RESERVED (`begin immediate`); of several that begin at once exactly one gets it, which EXCLUSIVE does not
 * promise. Nothing is ever written. Never open the file in another way: closing it would release the lock (POSIX
 * locks, https://sqlite.org/howtocorrupt.html section 2.2).
 */
export const lockFile = (path: string): (() => void) | null => {
  const sqlite = loadSqlite();
  if (!sqlite) {
    return flockFile(path);
  }
  const isNew = !existsSync(path);
  const file = new sqlite.DatabaseSync(path, { timeout: 0 });
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

/**
 * Node 20, on which the command line also runs, has no SQLite. Node 22 warns that it is experimental; this use
 * needs nothing that may change, so people who synchronise a folder are spared the warning.
 */
const loadSqlite = () => {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};
