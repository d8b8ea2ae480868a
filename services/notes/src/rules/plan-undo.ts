import type { VersionRange } from '@commonplace/merge';
import type { UndoOutcome } from '@commonplace/contracts/notes';

/** A version of a note, as far as an undo is planned by it. */
type PlannedVersion = {
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
};

/** What the present note becomes by an undo. */
export type UndoPlan =
  /** Known without any text. */
  | { readonly kind: 'known'; readonly outcome: UndoOutcome }
  | {
      readonly kind: 'texts';
      /** The versions whose texts are needed, oldest first; the last one is the present, or what a deletion is restored to. */
      readonly needed: readonly PlannedVersion[];
      /** Versions between them, which make it more exact; not all need to be read. */
      readonly between: readonly PlannedVersion[];
      /** Revisions of the source to take out, the newest first. */
      readonly ranges: readonly VersionRange[];
      /** Versions with which the source created the note, and on which others built. */
      readonly kept: readonly number[];
      /** The source deleted the note. */
      readonly isRestored: boolean;
    };

/** Decides what is to be taken out of a note, and from which texts. */
export const planUndo = ({ versions, isCreatedByFirst }: UndoHistory): UndoPlan => {
  const source = versions.filter(({ isSource }) => isSource);
  const [first, last] = [source[0], versions.at(-1)];
  if (!first || !last || (last.deleted && !last.isSource)) {
    return { kind: 'known', outcome: 'unchanged' };
  }
  const isFirstStored = versions[0] === first;
  if (isFirstStored && first.revision > 1 && !isCreatedByFirst) {
    return { kind: 'known', outcome: 'base_purged' };
  }
  const created = versions.filter(
    (version, index) =>
      version.isSource && !version.deleted && (versions[index - 1]?.deleted ?? true),
  );
  const newest = created.at(-1);
  if (newest && !isBuiltOn(versions, newest)) {
    return { kind: 'known', outcome: last.deleted ? 'unchanged' : 'removed' };
  }
  return planTexts(versions, created, last.deleted);
};

const isBuiltOn = (versions: readonly PlannedVersion[], { revision }: PlannedVersion): boolean =>
  versions.some((version) => version.revision > revision && !version.deleted && !version.isSource);

const planTexts = (
  versions: readonly PlannedVersion[],
  created: readonly PlannedVersion[],
  isRestored: boolean,
): UndoPlan => {
  const texts = versions.filter(({ deleted }) => !deleted);
  const isTaken = (version: PlannedVersion | undefined): boolean =>
    version !== undefined && version.isSource && !created.includes(version);
  const ranges: VersionRange[] = [];
  const needed = new Set([texts.at(-1), ...created]);
  texts.forEach((version, index) => {
    if (!isTaken(version)) {
      return;
    }
    const [before, next] = [texts[index - 1], texts[index + 1]];
    const previous = ranges.at(-1);
    if (previous && isTaken(before)) {
      ranges.splice(-1, 1, { ...previous, last: version.revision });
    } else {
      ranges.push({ first: version.revision, last: version.revision });
      needed.add(before);
    }
    if (!isTaken(next)) {
      needed.add(version);
    }
  });
  const oldest = texts.findIndex((version) => needed.has(version));
  return {
    kind: 'texts',
    needed: texts.filter((version) => needed.has(version)),
    between: texts.slice(oldest).filter((version) => !needed.has(version) && !version.isSource),
    ranges: ranges.toReversed(),
    kept: created.map(({ revision }) => revision),
    isRestored,
  };
};
