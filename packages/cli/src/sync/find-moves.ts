import { fileKey } from './file-stats.ts';
import type { FileEntry } from './folder-state.ts';
import type { FoundFile } from './list-files.ts';

/** Known files that were not found at their paths. */
export type Vanished = Map<string, FileEntry>;

/** A new or changed file. */
type Changed = {
  readonly file: FoundFile;
  /** The known file of this path. */
  readonly known: FileEntry | undefined;
  readonly fileHash?: string;
};
type Known = { readonly path: string; readonly entry: FileEntry };

/**
 * Finds new files that are known files under another name. A file matches first by its identity, whatever
 * its content; then, among the missing files, by its name in another Unicode form, and last by its bytes.
 * Some disks normalise names: the file written as `é.md` and replaced by an editor since is found there
 * under another spelling, and must not become a new note. Returns the old file by the new path.
 */
export const findMoves = (
  vanished: Vanished,
  changed: readonly Changed[],
): ReadonlyMap<string, Known> => {
  const moves = new Map<string, Known>();
  const newFiles = changed.filter(({ known }) => !known);
  const candidates = new Map([...vanished, ...displaced(changed)]);
  const match = (keys: {
    readonly ofEntry: (entry: FileEntry, path: string) => string | null;
    readonly ofNewFile: (newFile: Changed) => string | null;
  }): void => {
    const pathsByKey = new Map<string, string[]>();
    for (const [path, entry] of candidates) {
      const key = keys.ofEntry(entry, path);
      if (key !== null) {
        const paths = pathsByKey.get(key) ?? [];
        paths.push(path);
        pathsByKey.set(key, paths);
      }
    }
    for (const newFile of newFiles.filter(({ file }) => !moves.has(file.path))) {
      const key = keys.ofNewFile(newFile);
      const path = key === null ? undefined : pathsByKey.get(key)?.shift();
      const entry = path === undefined ? undefined : candidates.get(path);
      if (path !== undefined && entry) {
        moves.set(newFile.file.path, { path, entry });
        candidates.delete(path);
      }
    }
  };
  match({ ofEntry: fileKey, ofNewFile: ({ file }) => fileKey(file) });
  changed.forEach(({ file }) => candidates.has(file.path) && candidates.delete(file.path));
  match({ ofEntry: (_, path) => nfc(path), ofNewFile: ({ file }) => nfc(file.path) });
  match({ ofEntry: ({ fileHash }) => fileHash, ofNewFile: ({ fileHash }) => fileHash ?? null });
  return moves;
};

/** Known files whose paths now have other files. */
const displaced = (changed: readonly Changed[]): [string, FileEntry][] =>
  changed.flatMap(({ file, known }): [string, FileEntry][] =>
    known && fileKey(known) !== fileKey(file) ? [[file.path, known]] : [],
  );

const nfc = (path: string): string => path.normalize('NFC');
