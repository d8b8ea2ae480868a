import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { summaryColumns, type StoredNote } from './note-rows.ts';

/** What decides whether a note is read. */
export type NoteSize = Pick<StoredNote, 'id' | 'title' | 'size' | 'deletedAt'>;

/** The existing notes with these ids, including tombstones: title and size only. */
export const listNoteSizes = (tx: CompanyTx, ids: readonly NoteId[]): Promise<NoteSize[]> =>
  tx.query<NoteSize>(
    `select n.id, n.title, n.size, n.deleted_at as "deletedAt"
     from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, ids],
    'notes.list-note-sizes',
  );

/** Notes, including tombstones; content is left out where it has grown beyond the given size. */
export const listNotesUpTo = (
  tx: CompanyTx,
  notes: readonly Pick<NoteSize, 'id' | 'size'>[],
): Promise<StoredNote[]> =>
  tx.query<StoredNote>(
    `select ${summaryColumns},
       case when n.size <= ($3::integer[])[array_position($2::uuid[], n.id)] then n.content end as content
     from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, notes.map(({ id }) => id), notes.map(({ size }) => size)],
    'notes.list-notes-up-to',
  );
