import {
  fitsInBytes,
  noteLimits,
  type NoteFields,
  type UndoOutcome,
} from '@commonplace/contracts/notes';
import type { Removal, TakenOut } from '@commonplace/merge';
import { isSameNote } from './note-state.ts';
import type { UndoPlan } from './plan-undo.ts';
import { undoFields } from './undo-fields.ts';

export type TextsPlan = Extract<UndoPlan, { readonly kind: 'texts' }>;

/** The fields of the versions that were read, by revision. */
export type ReadVersions = ReadonlyMap<number, NoteFields>;

/** What becomes of a note. */
export type UndoDecision = {
  readonly outcome: UndoOutcome;
  /** The next version; null: a deletion; undefined: nothing is written. */
  readonly next?: NoteFields | null;
  readonly lines: readonly string[];
  readonly fields: readonly string[];
  readonly detail: string | null;
};

/** The texts from which the versions of the source are taken out. */
export const removalOf = (plan: TextsPlan, read: ReadVersions): Removal => {
  const revisions = [...read.keys()].toSorted((a, b) => a - b);
  const indexOf = (revision: number): number => revisions.indexOf(revision);
  return {
    versions: revisions.map((revision) => read.get(revision)?.content ?? ''),
    ranges: plan.ranges.map(({ first, last }) => {
      // Versions inside a range are not read, so that it is one change from the text before it.
      const end = indexOf(last);
      return { first: indexOf(first) < 0 ? end : indexOf(first), last: end };
    }),
  };
};

/** Decides what becomes of a note by the content without the versions of the source. */
export const decideUndo = (plan: TextsPlan, read: ReadVersions, taken: TakenOut): UndoDecision => {
  const revisions = [...read.keys()].toSorted((a, b) => a - b);
  const now = wanted(read, revisions.at(-1));
  const { rest, left } = undoAllFields(plan, { read, revisions, now });
  const next = { ...rest, content: taken.text };
  if (!fitsInBytes(next.content, noteLimits.contentBytesMax)) {
    return kept('The note would be larger than 512 KiB.');
  }
  const lines = [...taken.left, ...linesKept(plan, read, next)];
  const listed = { lines, fields: left, detail: null };
  if (plan.isRestored) {
    return { outcome: 'restored', next, ...listed };
  }
  const isLeft = lines.length > 0 || left.length > 0 || plan.kept.length > 0;
  if (isSameNote(now, next)) {
    return { outcome: isLeft ? 'kept' : 'unchanged', ...listed };
  }
  return { outcome: isLeft ? 'partly' : 'undone', next, ...listed };
};

/**
 * The revision to which a note goes back: the text before the first version that is taken out, or before the deletion. Null:
 * what the source wrote is only what the note was created with.
 */
export const baseRevisionOf = ({ needed, ranges, isRestored }: TextsPlan): number | null => {
  const [oldest, last] = [ranges.at(-1), needed.at(-1)];
  if (oldest === undefined) {
    return isRestored && last ? last.revision : null;
  }
  return needed.findLast(({ revision }) => revision < oldest.first)?.revision ?? null;
};

/** Nothing is changed, and says why. */
export const kept = (detail: string): UndoDecision => ({
  outcome: 'kept',
  lines: [],
  fields: [],
  detail,
});

const wanted = (read: ReadVersions, revision: number | undefined): NoteFields => {
  const fields = revision === undefined ? undefined : read.get(revision);
  if (!fields) {
    throw new Error('A version that an undo needs was not read');
  }
  return fields;
};

type Reading = {
  readonly read: ReadVersions;
  readonly revisions: readonly number[];
  readonly now: NoteFields;
};

const undoAllFields = (plan: TextsPlan, { read, revisions, now }: Reading) => {
  const left = new Set<string>();
  let rest: Omit<NoteFields, 'content'> = now;
  for (const { first, last } of plan.ranges) {
    const before = wanted(
      read,
      revisions.findLast((revision) => revision < first),
    );
    const undone = undoFields(rest, { before, written: wanted(read, last) });
    rest = undone.fields;
    undone.left.forEach((name) => left.add(name));
  }
  return { rest, left: [...left] };
};

/** The lines with which the source created the note, as far as they stay. */
const linesKept = (
  { kept: created }: TextsPlan,
  read: ReadVersions,
  next: NoteFields,
): string[] => {
  if (created.length === 0) {
    return [];
  }
  const present = new Set(next.content.split('\n'));
  return created
    .flatMap((revision) => read.get(revision)?.content.split('\n') ?? [])
    .filter((line) => line.trim() !== '' && present.has(line));
};
