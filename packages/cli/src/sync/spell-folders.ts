import { foldPath } from './note-path.ts';

/** Gives a path the folders that are there already, where names count as one that differ in their case. */
export type SpellFolders = (path: string) => string;

/**
 * Knows the folders of some paths, and those of every path it is asked about. Without it, a file for
 * the folder `Plans` would land in a folder `plans` where the disk folds case, and the next look would
 * take that for a rename.
 */
export const spellFolders = (paths: Iterable<string>): SpellFolders => {
  const known = new Set<string>();
  const byFold = new Map<string, string>();
  const learn = (folder: string): void => {
    known.add(folder);
    if (!byFold.has(foldPath(folder))) {
      byFold.set(foldPath(folder), folder);
    }
  };
  for (const path of paths) {
    parentsOf(path).forEach(learn);
  }
  return (path) => {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    let folder = '';
    for (const segment of segments) {
      const wanted = folder === '' ? segment : `${folder}/${segment}`;
      folder = known.has(wanted) ? wanted : (byFold.get(foldPath(wanted)) ?? wanted);
      learn(folder);
    }
    return folder === '' ? name : `${folder}/${name}`;
  };
};

const parentsOf = (path: string): string[] => {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
};
