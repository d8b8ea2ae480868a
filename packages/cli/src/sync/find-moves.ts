import { fileKey } from './file-stats.ts';
import type { FileEntry } from './folder-state.ts';
import type { FoundFile } from './list-files.ts';

/** Known files that were not found under their paths. */
export type Vanished = Map<string, FileEntry>;

/** A file that is new or not as it was. */
type Changed = {
  readonly file: FoundFile;
  /** What is known of the file of this path. */
  readonly known: FileEntry | undefined;
  readonly fileHash?: string;
};
type Known = { readonly path: string; readonly entry: FileEntry };

/**
 * Which new files are known ones under another name: first those that are the very same file, whatever
 * is in it now and whatever has its name by now; then, of those that vanished, the one whose name is
 * this one in another form of Unicode, and one with the same bytes. Some disks spell names in their own
 * way: the file that we wrote as `é.md`, and that an editor replaced since, is found there under another
 * name, and is no new note for that.
 * Gives the old file by the new path.
 */
export const findMoves = (
  vanished: Vanished,
  changed: readonly Changed[],
): ReadonlyMap<string, Known> => {
  const moves = new Map<string, Known>();
  const newcomers = changed.filter(({ known }) => !known);
  const left = new Map([...vanished, ...displaced(changed)]);
  const match = (keys: {
    readonly ofEntry: (entry: FileEntry, path: string) => string | null;
    readonly ofNewcomer: (newcomer: Changed) => string | null;
  }): void => {
    const pathsByKey = Map.groupBy(left.keys(), (path) => {
      const entry = left.get(path);
      return entry ? keys.ofEntry(entry, path) : null;
    });
    for (const newcomer of newcomers.filter(({ file }) => !moves.has(file.path))) {
      const key = keys.ofNewcomer(newcomer);
      const path = key === null ? undefined : pathsByKey.get(key)?.shift();
      const entry = path === undefined ? undefined : left.get(path);
      if (path !== undefined && entry) {
        moves.set(newcomer.file.path, { path, entry });
        left.delete(path);
      }
    }
  };
  match({ ofEntry: fileKey, ofNewcomer: ({ file }) => fileKey(file) });
  changed.forEach(({ file }) => left.has(file.path) && left.delete(file.path));
  match({ ofEntry: (_, path) => nfc(path), ofNewcomer: ({ file }) => nfc(file.path) });
  match({ ofEntry: ({ fileHash }) => fileHash, ofNewcomer: ({ fileHash }) => fileHash ?? null });
  return moves;
};

/** Known files whose paths have other files by now. */
const displaced = (changed: readonly Changed[]): [string, FileEntry][] =>
  changed.flatMap(({ file, known }): [string, FileEntry][] =>
    known && fileKey(known) !== fileKey(file) ? [[file.path, known]] : [],
  );

const nfc = (path: string): string => path.normalize('NFC');
