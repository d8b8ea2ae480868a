/** A folder with its subfolders. */
export type Folder = {
  readonly name: string;
  readonly path: string;
  /** The notes in it and in its subfolders. */
  readonly notes: number;
  readonly folders: readonly Folder[];
};

type FolderCount = { readonly folder: string; readonly notes: number };

/** Builds the tree of folders, by name, including folders that only have subfolders. */
export const folderTree = (counts: readonly FolderCount[], parent = ''): readonly Folder[] => {
  const byChild = new Map<string, FolderCount[]>();
  for (const count of counts) {
    const relativePath = parent === '' ? count.folder : count.folder.slice(parent.length + 1);
    if (relativePath !== '') {
      const name = relativePath.split('/')[0] ?? '';
      const siblings = byChild.get(name) ?? [];
      siblings.push(count);
      byChild.set(name, siblings);
    }
  }
  return [...byChild]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([name, within]) => {
      const path = parent === '' ? name : `${parent}/${name}`;
      return { name, path, notes: sumOf(within), folders: folderTree(within, path) };
    });
};

/** The notes of all folders. */
export const sumOf = (counts: readonly FolderCount[]): number =>
  counts.reduce((sum, { notes }) => sum + notes, 0);

const { compare: byName } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });
