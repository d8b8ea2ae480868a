import type { Stats } from 'node:fs';

/** What the file system says of a file: enough to see that it is the same one, and unchanged. */
export type FileStats = {
  readonly size: number;
  readonly mtimeMs: number;
  /** The time of the last change of anything, which no program can set. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** When it was made; 0 where the file system does not know. */
  readonly birthtimeMs: number;
};

/** Of a file that has to be read at the next look, whatever the file system says. */
export const neverLookedAt: FileStats = {
  size: -1,
  mtimeMs: -1,
  ctimeMs: -1,
  inode: -1,
  birthtimeMs: 0,
};

/** A file of which only that much is known which one it is: the next look reads it. */
export const toBeRead = ({ inode, birthtimeMs }: FileStats): FileStats => ({
  ...neverLookedAt,
  inode,
  birthtimeMs,
});

/** Clocks of file systems tick every few milliseconds: two writes in one tick look like one. */
const tickMs = 100;

/** The facts of a file. One that was changed just now may be changed again without a trace of it. */
export const identityOf = ({ size, mtimeMs, ctimeMs, ino, birthtimeMs }: Stats): FileStats => {
  const isQuiet = Date.now() - ctimeMs > tickMs;
  return { size, mtimeMs: isQuiet ? mtimeMs : -1, ctimeMs, inode: ino, birthtimeMs };
};

/** Nothing was written since: a write changes the times, another file in its place the inode. */
export const isUnchanged = (before: FileStats, now: FileStats): boolean =>
  before.mtimeMs >= 0 &&
  before.size === now.size &&
  before.mtimeMs === now.mtimeMs &&
  before.ctimeMs === now.ctimeMs &&
  before.inode === now.inode;

/**
 * The same for a file under whatever name and with whatever bytes, and for no other; null where that
 * cannot be told. File systems give the number of a deleted file to the next new one, so the number
 * alone proves nothing: the time of birth belongs to it.
 */
export const fileKey = ({ inode, birthtimeMs }: FileStats): string | null =>
  birthtimeMs > 0 ? `${inode}:${birthtimeMs}` : null;
