import { stat, statfs } from 'node:fs/promises';

/** One file of the write-ahead log, which a start may have to create. */
const bytesMin = 16 * 1024 * 1024;

/** Whether the disk of a folder has less room than PostgreSQL may need to start. */
export const isDiskFull = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < bytesMin;
};

/** Whether two folders are on one disk. */
export const areOnOneDisk = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.dev === second.dev;
};
