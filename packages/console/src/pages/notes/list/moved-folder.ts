/** The folder of a note after the folder `from`, which it is in or below, was moved to `to`. */
export const movedFolder = (folder: string, { from, to }: FolderMove): string =>
  [to, folder.slice(from.length + 1)].filter((part) => part !== '').join('/');

/** Paths of folders; the empty one is that of notes without a folder. */
type FolderMove = { readonly from: string; readonly to: string };
