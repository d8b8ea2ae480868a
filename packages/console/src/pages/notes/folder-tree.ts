/** A folder with its subfolders. */
export type Folder = {
  readonly name: string;
  readonly path: string;
  readonly folders: readonly Folder[];
};

/** Builds the tree of folder paths, by name, including folders that only have subfolders. */
export const folderTree = (paths: readonly string[], parent = ''): readonly Folder[] => {
  const relativePaths = parent === '' ? paths : paths.flatMap((path) => relativeTo(path, parent));
  const names = [...new Set(relativePaths.map((path) => path.split('/')[0] ?? ''))].toSorted(
    byName,
  );
  return names.map((name) => {
    const path = parent === '' ? name : `${parent}/${name}`;
    return { name, path, folders: folderTree(paths, path) };
  });
};

const { compare: byName } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

const relativeTo = (path: string, parent: string): readonly string[] =>
  path.startsWith(`${parent}/`) ? [path.slice(parent.length + 1)] : [];
