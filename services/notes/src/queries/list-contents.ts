import { uuidArray, type CompanyTx } from '@commonplace/db';
import type { NoteId } from '@commonplace/contracts/core';

/** The whole content of notes that were read without it. The caller has bounded their sizes. */
export const listContents = (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<{ readonly id: NoteId; readonly content: string }[]> =>
  tx.query(
    `select n.id, n.content from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) order by n.id`,
    [tx.companyId, uuidArray(ids)],
    'notes: list contents',
  );
