import type { NoteId, CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import {
  noteColumns,
  summaryColumns,
  writableColumns,
  type NoteRow,
  type StoredNote,
  type WritableNote,
} from './note-rows.ts';

/**
 * One note, or its tombstone. The `order by` makes the planner use the primary key in `inIndexOrder`, and
 * no other index that starts with the company.
 */
export const findNote = async (tx: CompanyTx, id: NoteId): Promise<NoteRow | null> => {
  const [row] = await tx.query<NoteRow>(
    `select ${noteColumns} from notes.notes n
     where n.company_id = $1 and n.id = any (array[$2::uuid]) order by n.id`,
    [tx.companyId, id],
    'notes.find-note',
  );
  return row ?? null;
};

/** As `findNote`, with the content left out where it is more than `bytesMax`. */
export const findNoteUpTo = async (
  tx: CompanyTx,
  id: NoteId,
  bytesMax: number,
): Promise<StoredNote | null> => {
  const [row] = await tx.query<StoredNote>(
    `select ${summaryColumns}, case when n.size <= $3 then n.content end as content
     from notes.notes n
     where n.company_id = $1 and n.id = any (array[$2::uuid]) order by n.id`,
    [tx.companyId, id, bytesMax],
    'notes.find-note-up-to',
  );
  return row ?? null;
};

/** The folder of a note, or of its tombstone, also where that was purged; null: the company has no such note. */
export const findNoteFolder = async (tx: CompanyTx, id: NoteId): Promise<string | null> => {
  const [row] = await tx.query<{ folder: string }>(
    `select n.folder from notes.notes n
     where n.company_id = $1 and n.id = any (array[$2::uuid]) order by n.id`,
    [tx.companyId, id],
    'notes.find-note-folder',
  );
  return row?.folder ?? findLastFolder(tx, id);
};

/** The folder of the newest version. The versions of a purged note are kept longer than its tombstone. */
const findLastFolder = async (tx: CompanyTx, id: NoteId): Promise<string | null> => {
  const [row] = await tx.query<{ folder: string }>(
    `select v.folder from notes.note_revisions v
     where v.company_id = $1 and v.note_id = $2
     order by v.revision desc
     limit 1`,
    [tx.companyId, id],
    'notes.find-last-folder',
  );
  return row?.folder ?? null;
};

/** The folders of notes, or of their tombstones, by id. */
export const listNoteFolders = (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<{ readonly id: NoteId; readonly folder: string }[]> =>
  tx.query(
    `select n.id, n.folder from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[])`,
    [tx.companyId, [...ids]],
    'notes.list-note-folders',
  );

/** Which company a note id belongs to; null: it exists nowhere. Distinguishes 403 from 404. */
export const findNoteOwner = async (tx: GlobalTx, id: string): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ owner: CompanyId | null }>('select notes.owner_of($1) as owner', [
    id,
  ]);
  return row?.owner ?? null;
};

/** The existing notes with these ids, including tombstones, without large content. */
export const listNotesById = (tx: CompanyTx, ids: readonly string[]): Promise<WritableNote[]> =>
  tx.query<WritableNote>(
    `select ${writableColumns} from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, ids],
    'notes.list-notes-by-id',
  );

/**
 * Claims ids for the company; returns how many it owns now. Fewer than requested: another company owns one of
 * them.
 */
export const claimIds = async (tx: CompanyTx, ids: readonly string[]): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select notes.claim($1::uuid[]) as count`,
    [ids],
    'notes.claim-ids',
  );
  return row?.count ?? 0;
};

/** As `claimIds`, for ids that the company probably has: looks for them first. */
export const claimKnownIds = async (tx: CompanyTx, ids: readonly string[]): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::integer as count from notes.claim_ids($1::uuid[]) as c (id)',
    [ids],
    'notes.claim-known-ids',
  );
  return row?.count ?? 0;
};

/** Those of the ids that belong to another company. */
export const listIdsOfOtherCompanies = async (
  tx: CompanyTx,
  ids: readonly string[],
): Promise<NoteId[]> => {
  const rows = await tx.query<{ id: NoteId }>(
    `select f.id from notes.foreign_ids($1::uuid[]) as f (id)`,
    [ids],
    'notes.list-foreign-ids',
  );
  return rows.map(({ id }) => id);
};

export type PurgedNote = { readonly id: NoteId; readonly revision: number };

/** Those of the ids whose note was purged, with the last revision it had. */
export const listPurgedNotes = (tx: CompanyTx, ids: readonly string[]): Promise<PurgedNote[]> =>
  tx.query<PurgedNote>(
    `select p.note_id as id, p.revision from notes.purged_notes p
     where p.company_id = $1 and p.note_id = any ($2::uuid[])`,
    [tx.companyId, ids],
    'notes.list-purged-notes',
  );

/** The active conflict copies of a note, in the order of their ids, without content. */
export const listConflictCopies = (
  tx: CompanyTx,
  {
    id,
    after,
    limit,
  }: { readonly id: NoteId; readonly after: NoteId | null; readonly limit: number },
): Promise<Omit<NoteRow, 'content'>[]> =>
  tx.query<Omit<NoteRow, 'content'>>(
    `select ${summaryColumns} from notes.notes n
     where n.company_id = $1 and n.conflict_of = $2 and n.deleted_at is null
       and n.id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
     order by n.id
     limit $4`,
    [tx.companyId, id, after, limit],
  );

/** The content of notes that were read without it. The caller limits the total size. */
export const listContents = (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<{ readonly id: NoteId; readonly content: string }[]> =>
  tx.query(
    `select n.id, n.content from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, ids],
    'notes.list-contents',
  );
