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
 *
 * A file that took the name of another known file is that file's new version, as editors save, unless the other file
 * has moved itself, as when two files swap their names.
 */
export const findMoves = (
  vanished: Vanished,
  changed: readonly Changed[],
): ReadonlyMap<string, Known> => {
  const moves = new Map<string, Known>();
  const newFiles = changed.filter(({ known }) => !known);
  const replacements = changed.filter(isReplacement);
  const candidates = new Map([...vanished, ...displaced(replacements)]);
  const match = (
    found: readonly Changed[],
    keys: {
      readonly ofEntry: (entry: FileEntry, path: string) => string | null;
      readonly ofNewFile: (newFile: Changed) => string | null;
    },
  ): void => {
    const pathsByKey = new Map<string, string[]>();
    for (const [path, entry] of candidates) {
      const key = keys.ofEntry(entry, path);
      if (key !== null) {
        const paths = pathsByKey.get(key) ?? [];
        paths.push(path);
        pathsByKey.set(key, paths);
      }
    }
    for (const newFile of found.filter(({ file }) => !moves.has(file.path))) {
      const key = keys.ofNewFile(newFile);
      const path = key === null ? undefined : pathsByKey.get(key)?.shift();
      const entry = path === undefined ? undefined : candidates.get(path);
      if (path !== undefined && entry) {
        moves.set(newFile.file.path, { path, entry });
        candidates.delete(path);
      }
    }
  };
  match([...newFiles, ...replacements], {
    ofEntry: fileKey,
    ofNewFile: ({ file }) => fileKey(file),
  });
  removeNewVersions(moves, replacements).forEach(({ path, entry }) => candidates.set(path, entry));
  changed.forEach(({ file }) => candidates.has(file.path) && candidates.delete(file.path));
  match(newFiles, { ofEntry: (_, path) => nfc(path), ofNewFile: ({ file }) => nfc(file.path) });
  match(newFiles, {
    ofEntry: ({ fileHash }) => fileHash,
    ofNewFile: ({ fileHash }) => fileHash ?? null,
  });
  return moves;
};

/** Whether the path of a known file now has another file. */
const isReplacement = ({ file, known }: Changed): boolean =>
  known !== undefined && fileKey(known) !== fileKey(file);

/** The known files of these paths. */
const displaced = (replacements: readonly Changed[]): [string, FileEntry][] =>
  replacements.flatMap(({ file, known }): [string, FileEntry][] =>
    known ? [[file.path, known]] : [],
  );

/** Removes the moves to paths of known files that stayed there until then. Returns the files that have not moved so. */
const removeNewVersions = (
  moves: Map<string, Known>,
  replacements: readonly Changed[],
): readonly Known[] => {
  const removed: Known[] = [];
  for (let size = -1; size !== moves.size;) {
    size = moves.size;
    const left = new Set([...moves.values()].map(({ path }) => path));
    for (const { file } of replacements) {
      const move = moves.get(file.path);
      if (move && !left.has(file.path)) {
        moves.delete(file.path);
        removed.push(move);
      }
    }
  }
  return removed;
};

const nfc = (path: string): string => path.normalize('NFC');
