import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { noteColumns, type NoteRow } from './note-row.ts';

/**
 * One note, tombstone or not. Asked for as the first of a list in the order of its key, it is looked up by
 * that key in `readInIndexOrder`, and by no other index that begins with the company.
 */
export const findNote = async (tx: CompanyTx, id: NoteId): Promise<NoteRow | null> => {
  const [row] = await tx.query<NoteRow>(
    `select ${noteColumns} from notes.notes n
     where n.company_id = $1 and n.id = any (array[$2::uuid]) order by n.id`,
    [tx.companyId, id],
    'notes: find note',
  );
  return row ?? null;
};
