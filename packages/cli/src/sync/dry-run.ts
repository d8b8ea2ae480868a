import { createTakenPaths, pathFor } from '@commonplace/note-files';
import { assertOwner, type FolderOwner } from './folder-owner.ts';
import { folderPaths } from './folder-paths.ts';
import { readFolderState } from './folder-state.ts';
import { scanFolder, type FileEdit } from './scan-folder.ts';

/** What a synchronisation would do to the notes, and to the names of files. */
export type DryRun = {
  readonly edits: readonly { readonly kind: string; readonly path: string }[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly missing: readonly string[];
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
};

/** Scans a folder and returns what a synchronisation would send. Creates and changes nothing. */
export const dryRun = async (root: string, owner: FolderOwner): Promise<DryRun> => {
  const stored = await readFolderState(folderPaths(root).state);
  assertOwner(root, stored, owner);
  const state = stored ?? { ...owner, files: new Map(), unread: [] };
  const { edits, problems, vanished, names } = await scanFolder(root, state, () => null);
  return {
    edits: edits.map(({ kind, path }) => ({ kind, path })),
    renames: findRenames(edits, names),
    missing: vanished,
    problems: problems.map(({ path, problem }) => ({ path, problem })),
  };
};

/** Files whose front matter says that their notes are elsewhere. */
const findRenames = (edits: readonly FileEdit[], names: readonly string[]): DryRun['renames'] => {
  const taken = createTakenPaths(names);
  return edits.flatMap(({ path, text }) => {
    const to = pathFor({ text, conflictOf: null }, path, taken);
    taken.add(to);
    return to === path ? [] : [{ from: path, to }];
  });
};

/** Formats what would be sent as lines. */
export const describeDryRun = ({ edits, renames, missing, problems }: DryRun): string[] => {
  const lines = [
    ...edits.map(({ kind, path }) => `would send: ${path} (${kind})`),
    ...renames.map(({ from, to }) => `would rename: ${from} to ${to}`),
    ...missing.map((path) => `missing: ${path}`),
    ...problems.map(({ path, problem }) => `would skip: ${path}: ${problem}`),
  ];
  return lines.length > 0 ? lines : ['nothing to send'];
};
