import { createTakenPaths, pathFor } from '@commonplace/note-files';
import {
  describeHeldBack,
  isRefusedDeletion,
  knownFiles,
  type DeletionRule,
} from './deletion-rule.ts';
import { findDoubts } from './find-doubts.ts';
import { assertOwner, type FolderOwner } from './folder-owner.ts';
import { folderPaths } from './folder-paths.ts';
import { readFolderState, type FolderState } from './folder-state.ts';
import type { FileProblem } from './list-files.ts';
import { scanFolder, type FileEdit } from './scan-folder.ts';

/** What a synchronisation would do to the notes, and to the names of files. */
export type DryRun = {
  readonly edits: readonly { readonly kind: string; readonly path: string }[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  /** Known files that were not found: those of the next three, if it is not refused. */
  readonly missing: readonly string[];
  /** Files whose notes would be deleted. */
  readonly deleted: readonly string[];
  /** Files that would be written again. */
  readonly restored: readonly string[];
  /** Files that may still exist: neither they nor their notes would be touched. */
  readonly kept: readonly FileProblem[];
  /** Why no note of a missing file would be deleted; null otherwise. */
  readonly refused: string | null;
  readonly problems: readonly FileProblem[];
};

type Rule = Pick<DeletionRule, 'mayDelete' | 'mayDeleteMany'>;

/**
 * Scans a folder and returns what a synchronisation with this rule would do with its files. Creates and changes nothing,
 * and does not know what others changed on the server.
 */
export const dryRun = async (root: string, owner: FolderOwner, rule: Rule): Promise<DryRun> => {
  const paths = folderPaths(root);
  const stored = await readFolderState(paths.state);
  assertOwner(root, stored, owner);
  const state: FolderState = stored ?? { ...owner, files: new Map(), unread: [] };
  const all = knownFiles(state, state.files.size);
  const scan = await scanFolder(root, state, () => null);
  const { edits, problems, vanished: missing, names } = scan;
  const doubts = await findDoubts({ paths, state }, missing, { ...scan, aside: new Set() });
  const absent = missing.filter((path) => !doubts.has(path));
  const amount = { gone: absent.length, all };
  const isRefused = isRefusedDeletion(amount, rule);
  return {
    edits: edits.map(({ kind, path }) => ({ kind, path })),
    renames: findRenames(edits, names),
    missing,
    deleted: rule.mayDelete && !isRefused ? absent : [],
    restored: rule.mayDelete ? [] : absent,
    kept: [...doubts].map(([path, problem]) => ({ path, problem })),
    refused: isRefused ? describeHeldBack(amount) : null,
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

/** Formats what would be done as lines. */
export const describeDryRun = (planned: DryRun): string[] => {
  const { edits, renames, missing, deleted, restored, kept, refused, problems } = planned;
  const lines = [
    ...(refused === null ? [] : [`would hold back deletions: ${refused}`]),
    ...(refused === null ? [] : missing.map((path) => `missing: ${path}`)),
    ...edits.map(({ kind, path }) => `would send: ${path} (${kind})`),
    ...renames.map(({ from, to }) => `would rename: ${from} to ${to}`),
    ...deleted.map((path) => `would delete: ${path}`),
    ...restored.map((path) => `would restore: ${path}`),
    ...kept.map(({ path, problem }) => `would keep: ${path}: ${problem}`),
    ...problems.map(({ path, problem }) => `would skip: ${path}: ${problem}`),
  ];
  return lines.length > 0 ? lines : ['nothing to send'];
};
