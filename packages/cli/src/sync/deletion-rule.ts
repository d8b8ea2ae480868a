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

/** Throws an error if too many files are missing to delete their notes without confirmation. */
export const assertNoMassDeletion = (missing: Missing, rule: DeletionRule): void => {
  if (isRefusedDeletion(missing, rule)) {
    const { gone, all } = missing;
    throw new Error(
      `${gone} of ${all} files are missing. Nothing was deleted, sent or written. ${massDeletionAdvice}`,
    );
  }
};

/** Whether so many files are missing that a synchronisation with this rule does nothing at all. */
export const isRefusedDeletion = (
  { gone, all }: Missing,
  { mayDelete, mayDeleteMany }: Pick<DeletionRule, 'mayDelete' | 'mayDeleteMany'>,
): boolean =>
  mayDelete &&
  !mayDeleteMany &&
  manyLimits.some(({ files, share }) => gone > files && gone > all * share);

/** What to do then. */
export const massDeletionAdvice =
  'To delete their notes, use --delete-many; to restore the files, omit --delete.';

/**
 * More missing files than `files`, and than this share of all, need an explicit confirmation. In a small folder that
 * is most of its files: a number alone would let it be emptied.
 */
const manyLimits = [
  { files: 10, share: 0.25 },
  { files: 2, share: 0.5 },
] as const;
