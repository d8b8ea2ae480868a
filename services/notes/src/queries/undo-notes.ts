import type { NoteId, UndoId } from '@commonplace/contracts/core';
import type { Author, UndoOutcome } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';

/** A version before those of a source. */
export type UndoBase = {
  readonly revision: number;
  readonly at: Date;
  readonly author: Author;
  /** The number of later versions of others. */
  readonly othersSince: number;
};

/** What became of a note, or would. */
export type UndoneNoteRow = {
  readonly noteId: NoteId;
  readonly outcome: UndoOutcome;
  readonly title: string;
  readonly folder: string;
  readonly revision: number | null;
  /** The versions that contain what was undone, on which a later change may not build; null: none. */
  readonly undoneFrom: number | null;
  readonly undoneTo: number | null;
  readonly undoes: readonly number[];
  /** The version to which the note goes back; null: none, or not known. */
  readonly base: UndoBase | null;
  readonly lines: readonly string[];
  readonly fields: readonly string[];
  readonly conflictOf: NoteId | null;
  readonly conflictCopies: readonly NoteId[];
  readonly merges: readonly number[];
  readonly detail: string | null;
  readonly diff: string | null;
};

/** Adds notes that an undo has to look at, unless it has them. */
export const insertUndoNotes = async (
  tx: CompanyTx,
  id: UndoId,
  noteIds: readonly NoteId[],
): Promise<void> => {
  await tx.query(
    `insert into notes.undo_notes (company_id, undo_id, note_id)
     select f.company_id, $2, n.id
     from notes.company_feed f cross join unnest($3::uuid[]) as n (id)
     where f.company_id = $1
     on conflict (company_id, undo_id, note_id) do nothing`,
    [tx.companyId, id, [...noteIds]],
  );
};

export type UndoPage = {
  readonly undoId: UndoId;
  readonly after: NoteId | null;
  readonly limit: number;
};

/** The next notes that are not decided. */
export const listPendingNotes = async (
  tx: CompanyTx,
  { undoId, after, limit }: UndoPage,
): Promise<NoteId[]> => {
  const rows = await tx.query<{ noteId: NoteId }>(
    `select n.note_id as "noteId" from notes.undo_notes n
     where n.company_id = $1 and n.undo_id = $2 and n.outcome is null
       and ($3::uuid is null or n.note_id > $3)
     order by n.note_id
     limit $4`,
    [tx.companyId, undoId, after, limit],
  );
  return rows.map(({ noteId }) => noteId);
};

const newestMax = 1_000;

/** The newest of the versions that an undo took out. A note may have five times as many. */
export const newestUndone = (undone: string): string =>
  `${undone}.undoes[greatest(cardinality(${undone}.undoes) - ${newestMax - 1}, 1):]`;

type BaseColumns = {
  readonly baseRevision: number | null;
  readonly baseAt: Date | null;
  readonly baseAuthor: Author | null;
  readonly baseOthersSince: number | null;
};

/** A page of the notes that are decided. */
export const listUndoneNotes = async (
  tx: CompanyTx,
  { undoId, after, limit, outcome }: UndoPage & { readonly outcome: UndoOutcome | null },
): Promise<UndoneNoteRow[]> => {
  const rows = await tx.query<Omit<UndoneNoteRow, 'base'> & BaseColumns>(
    `select n.note_id as "noteId", n.outcome, n.title, n.folder, n.revision,
       n.undone_from as "undoneFrom", n.undone_to as "undoneTo", ${newestUndone('n')} as undoes, n.lines, n.fields,
       n.conflict_of as "conflictOf", n.conflict_copies as "conflictCopies", n.merges, n.detail, n.diff,
       n.base_revision as "baseRevision", n.base_at as "baseAt", n.base_author as "baseAuthor",
       n.base_others_since as "baseOthersSince"
     from notes.undo_notes n
     where n.company_id = $1 and n.undo_id = $2 and n.outcome is not null
       and ($3::uuid is null or n.note_id > $3) and ($5::text is null or n.outcome = $5)
     order by n.note_id
     limit $4`,
    [tx.companyId, undoId, after, limit, outcome],
  );
  return rows.map((row) => ({ ...row, base: baseOf(row) }));
};

const baseOf = ({ baseRevision, baseAt, baseAuthor, baseOthersSince }: BaseColumns) =>
  baseRevision === null || baseAt === null || baseAuthor === null
    ? null
    : {
        revision: baseRevision,
        at: baseAt,
        author: baseAuthor,
        othersSince: baseOthersSince ?? 0,
      };

/** Stores what became of a note, unless it is decided already. */
export const updateUndoNote = async (
  tx: CompanyTx,
  id: UndoId,
  row: UndoneNoteRow,
): Promise<void> => {
  await tx.query(
    `update notes.undo_notes set outcome = $4, title = $5, folder = $6, revision = $7,
       undone_from = $8, undone_to = $9, undoes = $10, lines = $11, fields = $12, conflict_of = $13,
       conflict_copies = $14, merges = $15, detail = $16, diff = $17,
       base_revision = $18, base_at = $19, base_author = $20, base_others_since = $21
     where company_id = $1 and undo_id = $2 and note_id = $3 and outcome is null`,
    [
      tx.companyId,
      id,
      row.noteId,
      row.outcome,
      row.title,
      row.folder,
      row.revision,
      row.undoneFrom,
      row.undoneTo,
      [...row.undoes],
      JSON.stringify(row.lines),
      [...row.fields],
      row.conflictOf,
      [...row.conflictCopies],
      [...row.merges],
      row.detail,
      row.diff,
      row.base?.revision ?? null,
      row.base?.at ?? null,
      row.base && JSON.stringify(row.base.author),
      row.base?.othersSince ?? null,
    ],
    'notes.update-undo-note',
  );
};

/** Versions of a note that an undo took out. */
export type UndoneRange = {
  readonly noteId: NoteId;
  readonly from: number;
  readonly to: number;
};

/** The versions of notes that undos took out: no change may build on them. */
export const listUndoneRanges = (
  tx: CompanyTx,
  noteIds: readonly NoteId[],
): Promise<UndoneRange[]> =>
  tx.query<UndoneRange>(
    `select n.note_id as "noteId", n.undone_from as "from", n.undone_to as "to"
     from notes.undo_notes n
     where n.company_id = $1 and n.note_id = any ($2::uuid[]) and n.undone_to is not null
     order by n.note_id`,
    [tx.companyId, [...noteIds]],
    'notes.list-undone-ranges',
  );

/** An undo that wrote a version of a note. */
export type EarlierUndo = {
  readonly noteId: NoteId;
  /** The version that it wrote. */
  readonly revision: number;
  /** The versions that it took out. */
  readonly undoes: readonly number[];
  /** Nothing of them was left. */
  readonly isWhole: boolean;
};

/** The earlier undos that wrote versions of notes, in the order of the versions. */
export const listEarlierUndos = (
  tx: CompanyTx,
  noteIds: readonly NoteId[],
): Promise<EarlierUndo[]> =>
  tx.query<EarlierUndo>(
    `select n.note_id as "noteId", n.revision, n.undoes,
       n.outcome <> 'partly' and json_array_length(n.lines) = 0 and cardinality(n.fields) = 0 as "isWhole"
     from notes.undo_notes n
     where n.company_id = $1 and n.note_id = any ($2::uuid[]) and n.undone_to is not null
       and n.revision is not null
     order by n.note_id, n.revision`,
    [tx.companyId, [...noteIds]],
  );
