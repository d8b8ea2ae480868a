import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';

/** An open folder below the root. */
export type FolderHandle = {
  /** Returns a path to the entry with this name; `.` is the folder itself. */
  readonly at: (name: string) => string;
  readonly close: () => Promise<void>;
};

/** A path contains a link, or a file in place of a folder, so it must not be used. */
export class BlockedPathError extends Error {}

/**
 * Opens a folder by its path from the root, segment by segment, without following links. Operations on the
 * result affect this folder even if it is replaced by a link meanwhile. A missing folder is created if
 * `canCreate`; otherwise the result is null.
 *
 * Linux reaches the entries of an open folder through /proc. Other systems check every segment just before
 * use, which leaves a short race.
 */
export const openFolderHandle = async (
  root: string,
  folder: string,
  { canCreate = false }: { readonly canCreate?: boolean } = {},
): Promise<FolderHandle | null> => {
  const openStep = hasProcHandles() ? openByHandle : openByPath;
  let handle = await openStep(root, { follows: true });
  let path = '';
  for (const name of folder.split('/').filter(Boolean)) {
    path = path === '' ? name : `${path}/${name}`;
    try {
      const next = await openOrCreate(openStep, handle.at(name), canCreate);
      await handle.close();
      if (!next) {
        return null;
      }
      handle = next;
    } catch (error) {
      await handle.close();
      throw await describeBlockedPath(join(root, path), path, error);
    }
  }
  return handle;
};

/** Calls `work` with a path in its opened folder; returns null when the folder does not exist. */
export const withFolderOf = async <Result>(
  root: string,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result | null> => {
  const handle = await openFolderHandle(root, parentOf(path));
  return handle && withHandle(handle, path, work);
};

/** Like `withFolderOf`, but creates a missing folder. */
export const withCreatedFolderOf = async <Result>(
  root: string,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result> => {
  const handle = await openFolderHandle(root, parentOf(path), { canCreate: true });
  if (!handle) {
    throw new BlockedPathError('its folder was removed during the write');
  }
  return withHandle(handle, path, work);
};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const withHandle = async <Result>(
  handle: FolderHandle,
  path: string,
  work: (target: string) => Promise<Result>,
): Promise<Result> => {
  try {
    return await work(handle.at(path.slice(path.lastIndexOf('/') + 1)));
  } finally {
    await handle.close();
  }
};

type OpenStep = (path: string, options?: { readonly follows: boolean }) => Promise<FolderHandle>;

/** Linux's O_PATH, which Node does not export. It also opens folders that may be entered but not listed. */
const searchOnly = 0o10000000;

const openByHandle: OpenStep = async (path, { follows } = { follows: false }) => {
  const noFollow = follows ? 0 : constants.O_NOFOLLOW;
  const handle: FileHandle = await open(path, searchOnly | constants.O_DIRECTORY | noFollow);
  return { at: (name) => `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() };
};

const openByPath: OpenStep = async (path, { follows } = { follows: false }) => {
  if (!follows && !(await lstat(path)).isDirectory()) {
    throw new BlockedPathError(path);
  }
  return { at: (name) => join(path, name), close: () => Promise.resolve() };
};

let cachedHasProcHandles: boolean | undefined;

const hasProcHandles = (): boolean => {
  cachedHasProcHandles ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return cachedHasProcHandles;
};

const openOrCreate = async (
  openStep: OpenStep,
  path: string,
  canCreate: boolean,
): Promise<FolderHandle | null> => {
  try {
    return await openStep(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw error;
    }
  }
  if (!canCreate) {
    return null;
  }
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  });
  return openStep(path);
};

const describeBlockedPath = async (
  full: string,
  path: string,
  error: unknown,
): Promise<unknown> => {
  const isBlocked =
    error instanceof BlockedPathError || ['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');
  if (!isBlocked) {
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
