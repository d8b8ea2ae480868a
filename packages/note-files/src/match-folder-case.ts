import { foldPath } from './note-path.ts';

/** Replaces the folders of a path by existing ones whose names differ only in case. */
export type FolderCaseMatcher = (path: string) => string;

/**
 * Creates a matcher that knows the folders of these paths, and of every path it returns. Without it, a
 * file for the folder `Plans` would be written to an existing folder `plans` on a case-insensitive disk,
 * and the next scan would treat that as a rename.
 */
export const createFolderCaseMatcher = (paths: Iterable<string>): FolderCaseMatcher => {
  const known = new Set<string>();
  const byFold = new Map<string, string>();
  const add = (folder: string): void => {
    known.add(folder);
    if (!byFold.has(foldPath(folder))) {
      byFold.set(foldPath(folder), folder);
    }
  };
  for (const path of paths) {
    parentsOf(path).forEach(add);
  }
  return (path) => {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    let folder = '';
    for (const segment of segments) {
      const wanted = folder === '' ? segment : `${folder}/${segment}`;
      folder = known.has(wanted) ? wanted : (byFold.get(foldPath(wanted)) ?? wanted);
      add(folder);
    }
    return folder === '' ? name : `${folder}/${name}`;
  };
};

const parentsOf = (path: string): string[] => {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
};
