import { lstat, readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { codeOf, describeError } from '../describe-error.ts';
import { identityOf, type FileStats } from './file-stats.ts';
import { BlockedPathError, holdFolder, type HeldFolder } from './held-folder.ts';

/** A Markdown file of the folder; its path is relative, with `/` between its segments. */
export type FoundFile = FileStats & { readonly path: string };

/** A file or folder that cannot be synchronised as it is, and why. */
export type FileProblem = { readonly path: string; readonly problem: string };

/** What is in a folder. */
export type Listing = {
  readonly files: readonly FoundFile[];
  /** What could not be looked at: any file may be in there. */
  readonly unreadable: readonly FileProblem[];
  /** Links: what they lead to may be anything, a known file among it. */
  readonly links: readonly FoundFile[];
  /** Paths of all that has a name here, so that no note takes it. */
  readonly names: readonly string[];
  readonly folders: readonly string[];
};

/**
 * Lists the Markdown files of a folder and its sub-folders. Hidden ones are left out, and links are
 * not followed: what they lead to may be anywhere.
 */
export const listFiles = async (root: string): Promise<Listing> => {
  const files: FoundFile[] = [];
  const unreadable: FileProblem[] = [];
  const links: FoundFile[] = [];
  const names: string[] = [];
  const queue = [''];
  for (const folder of queue) {
    try {
      const entries = await readFolder(root, folder);
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
      // Without its root there is nothing to go by.
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

/** The entries of one folder; none when it was removed meanwhile. */
const readFolder = async (root: string, folder: string): Promise<Entry[]> => {
  const held = await holdFolder(root, folder);
  if (!held) {
    return [];
  }
  try {
    const entries = await readdir(held.at('.'), { withFileTypes: true });
    const shown = entries.filter(({ name }) => !name.startsWith('.'));
    return await Promise.all(shown.map((entry) => lookAt(held, folder, entry)));
  } finally {
    await held.close();
  }
};

const lookAt = async (held: HeldFolder, folder: string, entry: Dirent): Promise<Entry> => {
  const { name } = entry;
  const path = folder === '' ? name : `${folder}/${name}`;
  if (entry.isDirectory()) {
    return { path, kind: 'folder' };
  }
  const isNote = entry.isFile() && /\.md$/i.test(name);
  if (!isNote && !entry.isSymbolicLink()) {
    return { path, kind: 'other' };
  }
  if (name.includes('\ufffd')) {
    return { path, kind: 'other', problem: 'its name is not UTF-8' };
  }
  try {
    const stats = await lstat(held.at(name));
    const found = { path, ...identityOf(stats) };
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

/** Why a file cannot be used, as one line; a bug is thrown on. */
export const describeFileTrouble = (error: unknown): string => {
  const isItsOwn = error instanceof BlockedPathError || codeOf(error) !== undefined;
  if (!isItsOwn || diskTroubles.has(codeOf(error) ?? '')) {
    throw error;
  }
  return describeError(error);
};

/** What no other file would be spared: the disk is full, broken or read-only, or this process is. */
const diskTroubles = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Not as arguments of one call: a folder may hold more files than the stack does. */
const append = <Item>(list: Item[], items: readonly Item[]): void =>
  items.forEach((item) => list.push(item));
