import { MemoryToolError } from './memory-tool-error.ts';

/** The folder that the model sees. */
const root = '/memories';

/** Where a path of the memory is among the notes: a file is a note, a directory a folder. */
export type MemoryPlace = {
  /** The path as the model writes it, without a slash at its end. */
  readonly path: string;
  /** The folder of the note, and its title; null for the root, which is only a directory. */
  readonly file: { readonly folder: string; readonly title: string } | null;
  /** The folder of the directory. */
  readonly directory: string;
  /** The path ends with a slash, which names a directory and no file. */
  readonly isDirectoryOnly: boolean;
};

/** Maps a path to notes below `folder`. Throws a MemoryToolError for a path outside the memory. */
export const memoryPlace = (path: string, folder: string): MemoryPlace => {
  const plain = path.replace(/\/+$/, '');
  const segments = plain.split('/').slice(2);
  const isInside = plain === root || plain.startsWith(`${root}/`);
  if (!isInside || segments.some((segment) => !isSegment(segment))) {
    throw new MemoryToolError(
      `Error: The path ${path} is not valid. Paths start with ${root} and have no "." or ".."`,
    );
  }
  const title = segments.at(-1);
  return {
    path: plain,
    file:
      title === undefined ? null : { folder: [folder, ...segments.slice(0, -1)].join('/'), title },
    directory: [folder, ...segments].join('/'),
    isDirectoryOnly: path.endsWith('/'),
  };
};

/** A backslash or an encoded dot may be a way out of a folder elsewhere; here it is a mistake. */
const isSegment = (segment: string): boolean =>
  !['', '.', '..'].includes(segment) && !/[\\\u0000-\u001f]|%2e|%2f/i.test(segment);
