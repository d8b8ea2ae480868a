/** A folder with those below it. */
export type Folder = {
  readonly name: string;
  readonly path: string;
  readonly folders: readonly Folder[];
};

/** The paths of folders as a tree, by name; a folder is there too when only one below it is in use. */
export const folderTree = (paths: readonly string[], parent = ''): readonly Folder[] => {
  const below = parent === '' ? paths : paths.flatMap((path) => withinOf(path, parent));
  const names = [...new Set(below.map((path) => path.split('/')[0] ?? ''))].toSorted(byName);
  return names.map((name) => {
    const path = parent === '' ? name : `${parent}/${name}`;
    return { name, path, folders: folderTree(paths, path) };
  });
};

const { compare: byName } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

const withinOf = (path: string, parent: string): readonly string[] =>
  path.startsWith(`${parent}/`) ? [path.slice(parent.length + 1)] : [];
