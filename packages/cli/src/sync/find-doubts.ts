import { findDeletionDoubt } from './find-deletion-doubt.ts';
import type { Folder } from './folder.ts';
import { listFiles, type FoundFile } from './list-files.ts';
import type { FolderScan } from './scan-folder.ts';

/** Why files that were not found may still exist, by path. */
export type Doubts = ReadonlyMap<string, string>;

/**
 * Finds the files that are not proved to be deleted. A link or an unreadable file may be any of them under
 * another name, unless it was there before, while no file was missing.
 */
export const findDoubts = async (
  { paths, state }: Pick<Folder, 'paths' | 'state'>,
  gone: readonly string[],
  { unread, unreadable, names, aside }: FolderScan & { readonly aside: ReadonlySet<string> },
): Promise<Doubts> => {
  const before = new Set(state.unread.map(unreadKey));
  const suspect =
    unreadable[0] ??
    unread.find((file) => !state.files.has(file.path) && !before.has(unreadKey(file)));
  const doubts = new Map<string, string>();
  for (const path of gone) {
    const doubt =
      (await findDeletionDoubt(paths.root, path, state.files.get(path))) ??
      (aside.has(state.files.get(path)?.noteId ?? '') ? `it is in ${paths.displaced}` : null) ??
      (suspect ? `${suspect.path} is new and unreadable, and may be this file` : null);
    if (doubt !== null) {
      doubts.set(path, doubt);
    }
  }
  const arrival = gone.length > doubts.size ? await findArrival(paths.root, names) : null;
  if (arrival !== null) {
    gone.forEach((path) =>
      doubts.set(path, `${arrival} appeared during the scan, and may be this file`),
    );
  }
  return doubts;
};

/**
 * Finds a path that exists now but was not listed. A listing is not atomic: it misses a file that moves
 * from a folder not listed yet to one listed already.
 */
const findArrival = async (root: string, names: readonly string[]): Promise<string | null> => {
  const known = new Set(names);
  const { files, links, unreadable } = await listFiles(root);
  return [...files, ...links, ...unreadable].find(({ path }) => !known.has(path))?.path ?? null;
};

const unreadKey = ({ path, inode, birthtimeMs }: FoundFile): string =>
  `${inode}:${birthtimeMs}:${path}`;
