import type { VersionRange } from '@commonplace/merge';
import type { UndoOutcome } from '@commonplace/contracts/notes';

/** A version of a note, as far as an undo is planned by it. */
export type PlannedVersion = {
  readonly revision: number;
  readonly deleted: boolean;
  readonly size: number;
  /** The source wrote it, and no undo has taken it out. */
  readonly isSource: boolean;
};

export type UndoHistory = {
  /** The versions from the one before the first of the source to the present, oldest first. */
  readonly versions: readonly PlannedVersion[];
  /** The first revision that is stored created the note. */
  readonly isCreatedByFirst: boolean;
  /** Versions of others that left the source's text as it was; see `findSameTexts`. */
  readonly sameTexts: ReadonlySet<number>;
};

/** What the present note becomes by an undo. */
export type UndoPlan =
  /** Known without any text. */
  | { readonly kind: 'known'; readonly outcome: UndoOutcome }
  /** The source created the note, and all of its text is the source's. Others moved it, renamed it or the like. */
  | {
      readonly kind: 'created';
      /** Revisions of the source since, the newest first. The last one begins with the creation. */
      readonly ranges: readonly VersionRange[];
    }
  | {
      readonly kind: 'texts';
      /** The versions whose texts are needed, oldest first; the last one is the present, or what a deletion is restored to. */
      readonly needed: readonly PlannedVersion[];
      /** Versions between them, which make it more exact; not all need to be read. */
      readonly between: readonly PlannedVersion[];
      /** Revisions of the source to take out of the text, the newest first. */
      readonly ranges: readonly VersionRange[];
      /** The same, to take out of the other fields: what others did with these alone is between them. */
      readonly fieldRanges: readonly VersionRange[];
      readonly sameTexts: ReadonlySet<number>;
      /** Versions with which the source created the note, and on which others built. */
      readonly kept: readonly number[];
      /** The source deleted the note. */
      readonly isRestored: boolean;
    };

/** Decides what is to be taken out of a note, and from which texts. */
export const planUndo = (history: UndoHistory): UndoPlan => {
  const { versions, isCreatedByFirst } = history;
  const source = versions.filter(({ isSource }) => isSource);
  const [first, last] = [source[0], versions.at(-1)];
  if (!first || !last || (last.deleted && !last.isSource)) {
    return { kind: 'known', outcome: 'unchanged' };
  }
  const isFirstStored = versions[0] === first;
  if (isFirstStored && first.revision > 1 && !isCreatedByFirst) {
    return { kind: 'known', outcome: 'base_purged' };
  }
  const created = creationsOf(versions);
  const newest = created.at(-1);
  return newest && !isBuiltOn(history, newest)
    ? planRemoval(versions, newest)
    : planTexts(history, created);
};

/** The versions with which the source created the note, also again after others deleted it. Its own deletion is no end. */
const creationsOf = (versions: readonly PlannedVersion[]): PlannedVersion[] => {
  let isThere = false;
  return versions.filter(({ isSource, deleted }) => {
    const isCreation = isSource && !deleted && !isThere;
    isThere = deleted ? isThere && isSource : true;
    return isCreation;
  });
};

const isOfOthers = ({ deleted, isSource }: PlannedVersion): boolean => !deleted && !isSource;

/** Moving a note, or deleting and restoring it, is no building on its text. */
const isBuiltOn = ({ versions, sameTexts }: UndoHistory, { revision }: PlannedVersion): boolean =>
  versions.some(
    (version) =>
      version.revision > revision && isOfOthers(version) && !sameTexts.has(version.revision),
  );

const planRemoval = (versions: readonly PlannedVersion[], created: PlannedVersion): UndoPlan => {
  const since = versions.filter(({ revision }) => revision >= created.revision);
  if (versions.at(-1)?.deleted) {
    return { kind: 'known', outcome: 'unchanged' };
  }
  return since.some(isOfOthers)
    ? { kind: 'created', ranges: rangesOf(textsOf(since), ({ isSource }) => isSource) }
    : { kind: 'known', outcome: 'removed' };
};

const textsOf = (versions: readonly PlannedVersion[]): readonly PlannedVersion[] =>
  versions.filter(({ deleted }) => !deleted);

const planTexts = (
  { versions, sameTexts }: UndoHistory,
  created: readonly PlannedVersion[],
): UndoPlan => {
  const texts = textsOf(versions);
  const isTaken = (version: PlannedVersion): boolean =>
    version.isSource && !created.includes(version);
  const fieldRanges = rangesOf(texts, isTaken);
  const firsts = new Set(fieldRanges.map(({ first }) => first));
  const lasts = new Set(fieldRanges.map(({ last }) => last));
  const needed = new Set(
    texts.filter((version, index) => {
      const next = texts[index + 1];
      return (
        next === undefined ||
        created.includes(version) ||
        lasts.has(version.revision) ||
        firsts.has(next.revision)
      );
    }),
  );
  const oldest = texts.findIndex((version) => needed.has(version));
  return {
    kind: 'texts',
    needed: [...needed],
    between: texts.slice(oldest).filter((version) => !needed.has(version) && !version.isSource),
    ranges: rangesOf(
      texts.filter(({ revision }) => !sameTexts.has(revision)),
      isTaken,
    ),
    fieldRanges,
    sameTexts,
    kept: created.map(({ revision }) => revision),
    isRestored: versions.at(-1)?.deleted ?? false,
  };
};

/** The versions that are taken out, the newest first, and as one where no other is between them. */
const rangesOf = (
  texts: readonly PlannedVersion[],
  isTaken: (version: PlannedVersion) => boolean,
): readonly VersionRange[] => {
  const ranges: VersionRange[] = [];
  let isWithin = false;
  for (const version of texts) {
    const { revision } = version;
    if (isTaken(version)) {
      const previous = isWithin ? ranges.pop() : undefined;
      ranges.push({ first: previous?.first ?? revision, last: revision });
    }
    isWithin = isTaken(version);
  }
  return ranges.toReversed();
};
