import { uuidArray, type CompanyTx } from '@commonplace/db';
import { storedColumns, type StoredNote } from './note-row.ts';

/** The notes with these ids, tombstones included and large content left out; ids without a note are left out. */
export const listNotesById = (tx: CompanyTx, ids: readonly string[]): Promise<StoredNote[]> =>
  tx.query<StoredNote>(
    `select ${storedColumns} from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, uuidArray(ids)],
    'notes: list notes by id',
  );
