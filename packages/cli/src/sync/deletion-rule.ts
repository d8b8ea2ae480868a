import type { FolderState } from './folder-state.ts';

/** What happens to the notes of missing files. */
export type DeletionRule = {
  /** If false, the notes stay and their files are restored. */
  readonly mayDelete: boolean;
  /** Allows deleting even when many files are missing at once, as when a disk is not mounted. */
  readonly mayDeleteMany: boolean;
  /** If true, a file is missing only after two scans did not find it: editors move files while saving. */
  readonly isWatching: boolean;
};

/** How many files are missing, of how many that were known. */
type Missing = { readonly gone: number; readonly all: number };

/** What is held back then, and what to do. */
export const describeHeldBack = ({ gone, all }: Missing): string =>
  `${gone} of ${all} files are missing. Their notes are not deleted, and the files not restored. ` +
  'To delete their notes, use --delete-many; to restore the files, omit --delete.';

/** Of how many files those that are missing are a share: while deletions are held back, no more than there were then. */
export const knownFiles = (
  { knownBeforeHold }: Pick<FolderState, 'knownBeforeHold'>,
  all: number,
): number => Math.min(all, knownBeforeHold ?? all);

/** Whether so many files are missing that their notes are not deleted without confirmation. */
export const isRefusedDeletion = (
  { gone, all }: Missing,
  { mayDelete, mayDeleteMany }: Pick<DeletionRule, 'mayDelete' | 'mayDeleteMany'>,
): boolean =>
  mayDelete &&
  !mayDeleteMany &&
  manyLimits.some(({ files, share }) => gone > files && gone > all * share);

/**
 * More missing files than `files`, and than this share of all, need an explicit confirmation. In a small folder that
 * is most of its files: a number alone would let it be emptied.
 */
const manyLimits = [
  { files: 10, share: 0.25 },
  { files: 2, share: 0.5 },
] as const;
