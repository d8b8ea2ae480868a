import type { Stats } from 'node:fs';

/** File metadata that identifies a file and detects changes. Persisted as JSON. */
export type FileStats = {
  readonly size: number;
  readonly mtimeMs: number;
  /** The time of the last change of data or metadata, which programs cannot set. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** The creation time; 0 where the file system does not record it. */
  readonly birthtimeMs: number;
  /** The file is on another file system than the root of the folder. */
  readonly isOnOtherDevice?: true;
};

/** Metadata of a file that the next scan must read in any case. */
export const unreadStats: FileStats = {
  size: -1,
  mtimeMs: -1,
  ctimeMs: -1,
  inode: -1,
  birthtimeMs: 0,
};

/** Keeps only the identity of a file, so that the next scan reads it. */
export const asUnread = ({ inode, birthtimeMs }: FileStats): FileStats => ({
  ...unreadStats,
  inode,
  birthtimeMs,
});

/** File system clocks have a resolution of several milliseconds: two writes in one tick look like one. */
const clockTickMs = 100;

/** Returns a file's metadata. A file changed just now counts as unread: another change may not show. */
export const fileStatsOf = ({ size, mtimeMs, ctimeMs, ino, birthtimeMs }: Stats): FileStats => {
  const isSettled = Date.now() - ctimeMs > clockTickMs;
  return { size, mtimeMs: isSettled ? mtimeMs : -1, ctimeMs, inode: ino, birthtimeMs };
};

/** Whether the file was not written since: a write changes the times, a replacement the inode. */
export const isUnchanged = (before: FileStats, now: FileStats): boolean =>
  before.mtimeMs >= 0 &&
  before.size === now.size &&
  before.mtimeMs === now.mtimeMs &&
  before.ctimeMs === now.ctimeMs &&
  before.inode === now.inode;

/**
 * Identifies a file independently of its name and content; null where the file system does not allow it.
 * File systems reuse the inode numbers of deleted files, so the key includes the creation time.
 */
export const fileKey = ({ inode, birthtimeMs }: FileStats): string | null =>
  birthtimeMs > 0 ? `${inode}:${birthtimeMs}` : null;
