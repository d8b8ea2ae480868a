import type { CompanyTx } from '@commonplace/db';
import { summaryColumns, type NoteRow } from './note-row.ts';

export type TombstonesOf = {
  readonly ids: readonly string[];
  /** The head of the pull that they belong to. */
  readonly upTo: number;
  /** Changes the caller knows already. */
  readonly known: readonly number[];
};

/** Those of some notes that are deleted; nobody is sent the text of a tombstone. */
export const listTombstones = (
  tx: CompanyTx,
  { ids, upTo, known }: TombstonesOf,
): Promise<NoteRow[]> =>
  tx.query<NoteRow>(
    `select ${summaryColumns}, '' as content
     from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) and n.deleted_at is not null
       and n.change_no <= $3 and n.change_no <> all ($4::bigint[])
     order by n.id`,
    [tx.companyId, ids, upTo, known],
    'notes: list tombstones',
  );
