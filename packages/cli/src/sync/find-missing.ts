import {
  describeHeldBack,
  isRefusedDeletion,
  knownFiles,
  type DeletionRule,
} from './deletion-rule.ts';
import { findDoubts, type Doubts } from './find-doubts.ts';
import type { Folder } from './folder.ts';
import { assertSameFolder } from './folder-identity.ts';
import type { FolderScan } from './scan-folder.ts';
import type { SyncSummary } from './sync-summary.ts';

type Missing = {
  /** Known files with a note that were not found. */
  readonly gone: readonly string[];
  /** Those that may still exist. */
  readonly kept: Doubts;
  /** Those that count as deleted. */
  readonly vanished: readonly string[];
  /** Those that would, if they were not so many. */
  readonly heldBack: readonly string[];
};

type MissingInput = {
  readonly rule: DeletionRule;
  /** How many files were known before the scan. */
  readonly all: number;
  readonly summary: SyncSummary;
};

/** Finds which missing files count as deleted, and adds the problems of the scan, and of the others, to the summary. */
export const findMissing = async (
  folder: Folder,
  scan: FolderScan & { readonly aside: ReadonlySet<string> },
  { rule, all, summary }: MissingInput,
): Promise<Missing> => {
  const { state } = folder;
  const gone = scan.vanished.filter((path) => hasNote(folder, path));
  const kept = await findDoubts(folder, gone, scan);
  // Once more after the scan: a disk may have been unmounted during it.
  await assertUnreplaced(folder);
  const absent = gone.filter((path) => !kept.has(path));
  const vanished = absent.filter((path) => !rule.isWatching || folder.missingBefore.has(path));
  folder.missingBefore = new Set(absent);
  summary.busy += absent.length - vanished.length;
  const amount = { gone: vanished.length, all: knownFiles(state, all) };
  const isHeldBack = isRefusedDeletion(amount, rule);
  if (isHeldBack || vanished.length === gone.length) {
    state.knownBeforeHold = isHeldBack ? amount.all : null;
  }
  summary.heldBack = isHeldBack ? vanished.length : 0;
  summary.problems = [
    ...scan.problems,
    ...[...kept].map(([path, problem]) => ({ path, problem: `not deleted: ${problem}` })),
    ...(isHeldBack ? [{ path: '.', problem: describeHeldBack(amount) }] : []),
  ];
  return isHeldBack
    ? { gone, kept, vanished: [], heldBack: vanished }
    : { gone, kept, vanished, heldBack: [] };
};

/** As `assertSameFolder`. Files that an earlier scan did not find are found missing twice only in the same folder. */
export const assertUnreplaced = async (folder: Folder): Promise<void> => {
  try {
    await assertSameFolder(folder.paths, folder.identity);
  } catch (error) {
    folder.missingBefore = new Set();
    throw error;
  }
};

/** False for a file that the program removed with its note, if it was killed before it stored that. */
const hasNote = ({ state, client }: Folder, path: string): boolean => {
  const entry = state.files.get(path);
  const isKnown = entry !== undefined && client.find(entry.noteId) !== null;
  if (!isKnown) {
    state.files.delete(path);
  }
  return isKnown;
};
