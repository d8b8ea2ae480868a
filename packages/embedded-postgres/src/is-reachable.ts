import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { OsUser } from './run-program.ts';

/** Whether a user may enter every folder above this path, and enter or execute the path itself. */
export const isReachable = async (path: string, user: OsUser): Promise<boolean> => {
  const absolute = resolve(path);
  const found = await stat(absolute);
  const executeBit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
  if ((found.mode & executeBit) === 0) {
    return false;
  }
  const parent = dirname(absolute);
  return parent === absolute || isReachable(parent, user);
};
