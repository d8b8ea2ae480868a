import type { CompanyTx } from '@commonplace/db';

/** True when notes of the company changed since they were last indexed. */
export const hasUnindexedNotes = async (tx: CompanyTx): Promise<boolean> => {
  const [row] = await tx.query<{ isBehind: boolean }>(
    `select exists (
       select from notes.notes n
       where n.company_id = $1 and n.change_no > coalesce(
         (select p.change_no from notes.search_progress p where p.company_id = $1), 0)
     ) as "isBehind"`,
    [tx.companyId],
  );
  return row?.isBehind ?? false;
};
