import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** A note that changed, at its newest revision. */
export type ChangedNote = {
  readonly id: NoteId;
  readonly revision: number;
  readonly changeNo: number;
  readonly pinned: boolean;
};

/** The notes that changed after a change number, in the order of their changes, deletions included. */
export const listChangedNotes = (
  tx: CompanyTx,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ChangedNote[]> =>
  tx.query<ChangedNote>(
    `select n.id, n.revision, n.change_no as "changeNo", n.pinned
     from notes.notes n
     where n.company_id = $1 and n.change_no > $2
     order by n.change_no
     limit $3`,
    [tx.companyId, after, limit],
    'notes.list-changed-notes',
  );
