import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';

/** A folder below the root, held open while something is done with what is in it. */
export type HeldFolder = {
  /** A path of what bears this name in the folder; `.` is the folder itself. */
  readonly at: (name: string) => string;
  readonly close: () => Promise<void>;
};

/** A link stands in a path, or a file where a folder must be: nothing may be done behind it. */
export class BlockedPathError extends Error {}

/**
 * Opens a folder by its path from the root, one segment after the other, and follows no link: what is
 * done through the result happens in this very folder, even when somebody puts a link in its place
 * meanwhile. Missing folders are made, or the result is null.
 *
 * Linux reaches the entries of an open folder through /proc. Elsewhere every segment is looked at just
 * before, which leaves an instant between the look and the use.
 */
export const holdFolder = async (
  root: string,
  folder: string,
  { isMade = false }: { readonly isMade?: boolean } = {},
): Promise<HeldFolder | null> => {
  const enter = canReachByHandle() ? enterByHandle : enterByPath;
  let held = await enter(root, { follows: true });
  let path = '';
  for (const name of folder.split('/').filter(Boolean)) {
    path = path === '' ? name : `${path}/${name}`;
    try {
      const next = await enterOrMake(enter, held.at(name), isMade);
      await held.close();
      if (!next) {
        return null;
      }
      held = next;
    } catch (error) {
      await held.close();
      throw await describeBlock(join(root, path), path, error);
    }
  }
  return held;
};

/** Does something with a path in its folder; null when there is no such folder. */
export const inFolderOf = async <Result>(
  root: string,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result | null> => {
  const held = await holdFolder(root, parentOf(path));
  return held && workIn(held, path, work);
};

/** The same, and the folder is made where there is none. */
export const inMadeFolderOf = async <Result>(
  root: string,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result> => {
  const held = await holdFolder(root, parentOf(path), { isMade: true });
  if (!held) {
    throw new BlockedPathError('its folder was removed at this moment');
  }
  return workIn(held, path, work);
};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const workIn = async <Result>(
  held: HeldFolder,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result> => {
  try {
    return await work(held.at(path.slice(path.lastIndexOf('/') + 1)));
  } finally {
    await held.close();
  }
};

type Enter = (path: string, options?: { readonly follows: boolean }) => Promise<HeldFolder>;

/** O_PATH of Linux, which Node does not name: a folder that may be passed but not listed opens too. */
const searchOnly = 0o10000000;

const enterByHandle: Enter = async (path, { follows } = { follows: false }) => {
  const noFollow = follows ? 0 : constants.O_NOFOLLOW;
  const handle: FileHandle = await open(path, searchOnly | constants.O_DIRECTORY | noFollow);
  return { at: (name) => `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() };
};

const enterByPath: Enter = async (path, { follows } = { follows: false }) => {
  if (!follows && !(await lstat(path)).isDirectory()) {
    throw new BlockedPathError(path);
  }
  return { at: (name) => join(path, name), close: () => Promise.resolve() };
};

let byHandle: boolean | undefined;

const canReachByHandle = (): boolean => {
  byHandle ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return byHandle;
};

const enterOrMake = async (
  enter: Enter,
  path: string,
  isMade: boolean,
): Promise<HeldFolder | null> => {
  try {
    return await enter(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw error;
    }
  }
  if (!isMade) {
    return null;
  }
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  });
  return enter(path);
};

const describeBlock = async (full: string, path: string, error: unknown): Promise<unknown> => {
  const isBlock =
    error instanceof BlockedPathError || ['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');
  if (!isBlock) {
    return error;
  }
  const isLink = await lstat(full).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return new BlockedPathError(
    isLink ? `${path} is a link, and links are not followed` : `${path} is a file, not a folder`,
  );
};
