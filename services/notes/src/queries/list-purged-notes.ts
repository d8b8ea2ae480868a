import type { NoteId } from '@commonplace/contracts/core';
import { uuidArray, type CompanyTx } from '@commonplace/db';

export type PurgedNote = { readonly id: NoteId; readonly revision: number };

/** Those of the ids whose note was purged, with the last revision it had. */
export const listPurgedNotes = (tx: CompanyTx, ids: readonly string[]): Promise<PurgedNote[]> =>
  tx.query<PurgedNote>(
    `select p.note_id as id, p.revision from notes.purged_notes p
     where p.company_id = $1 and p.note_id = any ($2::uuid[])`,
    [tx.companyId, uuidArray(ids)],
    'notes: list purged notes',
  );
