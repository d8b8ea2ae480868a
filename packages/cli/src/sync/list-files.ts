import { lstat, readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { codeOf, describeError } from '../describe-error.ts';
import { fileStatsOf, type FileStats } from './file-stats.ts';
import { BlockedPathError, openFolderHandle, type FolderHandle } from './folder-handle.ts';

/** A Markdown file; its path is relative to the root, with `/` as separator. */
export type FoundFile = FileStats & { readonly path: string };

/** A file or folder that cannot be synchronised, and why. */
export type FileProblem = { readonly path: string; readonly problem: string };

/** The contents of a folder. */
export type Listing = {
  readonly files: readonly FoundFile[];
  /** Entries that could not be inspected: any file may be inside. */
  readonly unreadable: readonly FileProblem[];
  /** Links: their target may be anything, even a known file. */
  readonly links: readonly FoundFile[];
  /** All paths in use, so that no note takes one of them. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
};

/**
 * Lists the Markdown files of a folder and its subfolders. Hidden entries are skipped, and links are not
 * followed, because their target may be anywhere.
 */
export const listFiles = async (root: string): Promise<Listing> => {
  const files: FoundFile[] = [];
  const unreadable: FileProblem[] = [];
  const links: FoundFile[] = [];
  const names: string[] = [];
  const queue = [''];
  const rootDevice = await deviceOf(root, '');
  for (const folder of queue) {
    try {
      const entries = await readFolder({ root, rootDevice }, folder);
      append(
        names,
        entries.map(({ path }) => path),
      );
      append(
        queue,
        entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path),
      );
      append(
        files,
        entries.flatMap(({ file }) => file ?? []),
      );
      append(
        links,
        entries.flatMap(({ link }) => link ?? []),
      );
      append(
        unreadable,
        entries.flatMap(({ path, problem }) => (problem ? { path, problem } : [])),
      );
    } catch (error) {
      // An unreadable root makes the whole listing meaningless.
      if (folder === '') {
        throw error;
      }
      unreadable.push({ path: folder, problem: describeError(error) });
    }
  }
  return { files, links, unreadable, names, folders: queue.slice(1) };
};

type Entry = {
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'other';
  readonly file?: FoundFile;
  readonly link?: FoundFile;
  readonly problem?: string;
};

/** Returns the entries of one folder; none when it was removed meanwhile. */
const readFolder = async ({ root, rootDevice }: Root, folder: string): Promise<Entry[]> => {
  const handle = await openFolderHandle(root, folder);
  if (!handle) {
    return [];
  }
  try {
    const entries = await readdir(handle.at('.'), { withFileTypes: true });
    const visible = entries.filter(({ name }) => !name.startsWith('.'));
    const opened = { handle, rootDevice, folder };
    return await Promise.all(visible.map((entry) => inspectEntry(opened, entry)));
  } finally {
    await handle.close();
  }
};

type Root = { readonly root: string; readonly rootDevice: number | null };

type OpenedFolder = Pick<Root, 'rootDevice'> & {
  readonly handle: FolderHandle;
  readonly folder: string;
};

const inspectEntry = async (
  { handle, rootDevice, folder }: OpenedFolder,
  entry: Dirent,
): Promise<Entry> => {
  const { name } = entry;
  const path = folder === '' ? name : `${folder}/${name}`;
  const isNote = entry.isFile() && /\.md$/i.test(name);
  if (!isNote && !entry.isDirectory() && !entry.isSymbolicLink()) {
    return { path, kind: 'other' };
  }
  // It cannot be opened by this name: any file may be in such a folder.
  if (name.includes('\ufffd')) {
    return { path, kind: 'other', problem: 'its name is not UTF-8' };
  }
  if (entry.isDirectory()) {
    return { path, kind: 'folder' };
  }
  try {
    const stats = await lstat(handle.at(name));
    const isElsewhere = stats.dev !== rootDevice;
    const found = {
      path,
      ...fileStatsOf(stats),
      ...(isElsewhere && { isOnOtherDevice: true as const }),
    };
    return {
      path,
      kind: 'file',
      ...(stats.isFile() ? { file: found } : {}),
      ...(stats.isSymbolicLink() ? { link: found } : {}),
    };
  } catch (error) {
    const isGone = codeOf(error) === 'ENOENT';
    return { path, kind: 'other', ...(isGone ? {} : { problem: describeError(error) }) };
  }
};

/** Returns the file system of a folder; null when there is no such folder. */
export const deviceOf = async (root: string, folder: string): Promise<number | null> => {
  const handle = await openFolderHandle(root, folder);
  try {
    return handle && (await lstat(handle.at('.'))).dev;
  } finally {
    await handle?.close();
  }
};

/** Describes an error of a single file as one line. Rethrows bugs and errors of the whole disk. */
export const describeFileError = (error: unknown): string => {
  const isFileError = error instanceof BlockedPathError || codeOf(error) !== undefined;
  if (!isFileError || diskErrorCodes.has(codeOf(error) ?? '')) {
    throw error;
  }
  return describeError(error);
};

/** Errors that affect every file: the disk or the process is out of a resource, or the disk is read-only. */
const diskErrorCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Not spread into one call: the files of a folder may exceed the stack. */
const append = <Item>(list: Item[], items: readonly Item[]): void =>
  items.forEach((item) => list.push(item));
