import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { revisionSummaryColumns, type RevisionRow } from './revision-row.ts';

export type RevisionSummaryRow = Omit<RevisionRow, 'content' | 'properties'>;

export type RevisionPage = {
  readonly id: NoteId;
  /** The last revision of the page before; null: the first page. */
  readonly before: number | null;
  readonly limit: number;
};

/** A page of the versions of a note, newest first. */
export const listRevisions = (tx: CompanyTx, page: RevisionPage): Promise<RevisionSummaryRow[]> =>
  tx.query<RevisionSummaryRow>(
    `select ${revisionSummaryColumns}
     from notes.note_revisions v
     where v.company_id = $1 and v.note_id = $2 and ($3::integer is null or v.revision < $3)
     order by v.revision desc
     limit $4`,
    [tx.companyId, page.id, page.before, page.limit],
  );
