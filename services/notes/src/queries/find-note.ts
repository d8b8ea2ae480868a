import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { noteColumns, type NoteRow } from './note-row.ts';

/** One note, tombstone or not. */
export const findNote = async (tx: CompanyTx, id: NoteId): Promise<NoteRow | null> => {
  const [row] = await tx.query<NoteRow>(
    `select ${noteColumns} from notes.notes n where n.company_id = $1 and n.id = $2`,
    [tx.companyId, id],
    'notes: find note',
  );
  return row ?? null;
};
