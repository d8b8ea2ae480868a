import type { NoteFields } from '@commonplace/contracts/notes';
import type { UndoBase, UndoneNoteRow } from '../queries/undo-notes.ts';
import type { RevisionRow } from '../queries/versions.ts';
import { presentRevisionAuthor } from '../present/present-note.ts';
import { baseRevisionOf, type UndoDecision } from '../rules/undo-note.ts';
import { diffFields } from '../diff/diff-fields.ts';
import type { PlannedNote, PreparedNote } from './planned-note.ts';

const listedMax = { lines: 50, lineCharacters: 200 } as const;
const diffMax = { bytes: 256 * 1024, characters: 4_000 } as const;

type Presenting = {
  readonly isDryRun: boolean;
  readonly read: ReadonlyMap<number, RevisionRow>;
};

/** What is stored of a decision about a note. */
export const presentDecision = (
  planned: PlannedNote,
  decision: UndoDecision,
  { isDryRun, read }: Presenting,
): PreparedNote => {
  const { noteId, note, versions, conflictCopies, merges } = planned.history;
  const { outcome, next, lines, fields, detail } = decision;
  const revision = note?.revision ?? 0;
  const isWritten = next !== undefined && !isDryRun;
  const named = next && isWritten ? next : note;
  const undoes = versions.filter(({ isSource }) => isSource).map((version) => version.revision);
  const row = {
    noteId,
    outcome,
    title: named?.title ?? '',
    folder: named?.folder ?? '',
    revision: isWritten ? revision + 1 : null,
    ...(isDryRun ? noRange : rangeOf(decision, undoes[0], revision)),
    undoes,
    base: outcome === 'unchanged' ? null : baseOf(planned, read),
    lines: lines.slice(0, listedMax.lines).map(cut),
    fields,
    conflictOf: note?.conflictOf ?? null,
    conflictCopies,
    merges,
    detail,
    diff: isDryRun ? diffOf(next, read) : null,
  } satisfies UndoneNoteRow;
  return { row, revision, ...(isWritten ? { next } : {}) };
};

/** The version to which the note goes back, which was read to be compared. */
const baseOf = (
  { history, plan }: PlannedNote,
  read: ReadonlyMap<number, RevisionRow>,
): UndoBase | null => {
  const revision = 'kind' in plan && plan.kind === 'texts' ? baseRevisionOf(plan) : null;
  const version = revision === null ? undefined : read.get(revision);
  return version
    ? {
        revision: version.revision,
        at: version.createdAt,
        author: presentRevisionAuthor(version),
        othersSince: history.versions.filter(
          (each) => each.revision > version.revision && !each.isSource,
        ).length,
      }
    : null;
};

const noRange = { undoneFrom: null, undoneTo: null };

/**
 * The versions on which no later change may build: from the first of the source to the present one, which the undo
 * replaces. Where the present one has nothing of the source, those before it.
 */
const rangeOf = (
  { outcome, next }: UndoDecision,
  from: number | undefined,
  revision: number,
): Pick<UndoneNoteRow, 'undoneFrom' | 'undoneTo'> => {
  if (from === undefined || (next === undefined && outcome !== 'unchanged')) {
    return noRange;
  }
  const to = next === undefined ? revision - 1 : revision;
  return to < from ? noRange : { undoneFrom: from, undoneTo: to };
};

/** The first characters of a line, whole ones. */
const cut = (line: string): string =>
  line.length <= listedMax.lineCharacters
    ? line
    : `${line.slice(0, listedMax.lineCharacters - 1).replace(/[\ud800-\udbff]$/u, '')}…`;

/** The unified diff of the content; where other fields differ too, each after two lines that name it. */
const diffOf = (
  next: NoteFields | null | undefined,
  read: ReadonlyMap<number, NoteFields>,
): string | null => {
  const now = read.get(Math.max(...read.keys()));
  if (!next || !now || now.content.length + next.content.length > diffMax.bytes) {
    return null;
  }
  const fields = diffFields({ ...now, deleted: false }, { ...next, deleted: false }, 3);
  const isOfContent = fields.every(({ field }) => field === 'content');
  const text = fields
    .map(({ field, diff }) => (isOfContent ? diff : `--- ${field}\n+++ ${field}\n${diff}`))
    .join('');
  return text.slice(0, diffMax.characters).replace(/[\ud800-\udbff]$/u, '');
};
