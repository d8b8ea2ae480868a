import {
  fitsInBytes,
  noteLimits,
  type NoteFields,
  type UndoOutcome,
} from '@commonplace/contracts/notes';
import type { Removal, TakenOut, VersionRange } from '@commonplace/merge';
import { isSameNote, type OtherFields } from './note-state.ts';
import type { UndoPlan } from './plan-undo.ts';
import { undoFields } from './undo-fields.ts';

export type TextsPlan = Extract<UndoPlan, { readonly kind: 'texts' }>;
export type CreatedPlan = Extract<UndoPlan, { readonly kind: 'created' }>;

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
  const revisions = revisionsOf(read).filter((revision) => !plan.sameTexts.has(revision));
  return {
    versions: revisions.map((revision) => read.get(revision)?.content ?? ''),
    // Of the versions inside a range not all are read: it is one change from the text before it.
    ranges: plan.ranges.map(({ first, last }) => ({
      first: revisions.findIndex((revision) => revision >= first),
      last: revisions.indexOf(last),
    })),
  };
};

/** Decides what becomes of a note by the content without the versions of the source. */
export const decideUndo = (plan: TextsPlan, read: ReadVersions, taken: TakenOut): UndoDecision => {
  const now = wanted(read, revisionsOf(read).at(-1));
  const { rest, left } = undoAllFields(plan.fieldRanges, read, now);
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
 * Decides about a note whose text is the source's alone: it is deleted. Only a title of others makes it stay, without the
 * text: it is what they wrote.
 */
export const decideCreated = ({ ranges }: CreatedPlan, read: ReadVersions): UndoDecision => {
  const now = wanted(read, revisionsOf(read).at(-1));
  const [since, creation] = [ranges.slice(0, -1), ranges.at(-1)];
  const later = undoAllFields(since, read, now);
  const { fields, left } = undoFields(later.rest, {
    before: beforeCreation(wanted(read, creation?.first)),
    written: wanted(read, creation?.last),
  });
  const names = [...new Set([...later.left, ...left])];
  if (!names.includes('title')) {
    return { outcome: 'removed', next: null, lines: [], fields: [], detail: null };
  }
  const next = { ...fields, content: '' };
  return isSameNote(now, next)
    ? { outcome: 'unchanged', lines: [], fields: [], detail: null }
    : { outcome: 'partly', next, lines: [], fields: names, detail: null };
};

/** What a note would be without what the source created it with. It has to be in some folder. */
const beforeCreation = ({ folder }: NoteFields): OtherFields => ({
  title: '',
  folder,
  tags: [],
  pinned: false,
  archived: false,
  properties: {},
});

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

const undoAllFields = (ranges: readonly VersionRange[], read: ReadVersions, now: NoteFields) => {
  const revisions = revisionsOf(read);
  const left = new Set<string>();
  let rest: OtherFields = now;
  for (const { first, last } of ranges) {
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
  const present = new Set(linesOf(next.content));
  return created
    .flatMap((revision) => linesOf(read.get(revision)?.content ?? ''))
    .filter((line) => line.trim() !== '' && present.has(line));
};

const revisionsOf = (read: ReadVersions): number[] => [...read.keys()].toSorted((a, b) => a - b);

/** The lines of a text. What ends them does not count: a line whose break others converted is there. */
const linesOf = (text: string): string[] => text.split(/\r?\n/);
