import { foldPath, type TakenPaths } from './note-path.ts';

/** Paths in use that can be changed. */
export type MutableTakenPaths = TakenPaths & {
  readonly add: (path: string) => void;
  readonly delete: (path: string) => void;
};

/** The paths that files have or will have. Two paths that a file system considers equal are one. */
export const createTakenPaths = (paths: Iterable<string> = []): MutableTakenPaths => {
  const folded = new Set(Array.from(paths, foldPath));
  const nextNumbers = new Map<string, number>();
  return {
    has: (path) => folded.has(foldPath(path)),
    nextNumbers,
    add: (path) => void folded.add(foldPath(path)),
    delete: (path) => {
      folded.delete(foldPath(path));
      // A number below those remembered may be free again.
      nextNumbers.clear();
    },
  };
};
