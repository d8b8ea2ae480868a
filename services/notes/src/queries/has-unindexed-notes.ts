import type { CompanyTx } from '@commonplace/db';

/**
 * True when notes of the company changed since they were last indexed. It looks at the newest change
 * only: asked whether any is newer, the planner hopes to find one soon and walks over all of them.
 */
export const hasUnindexedNotes = async (tx: CompanyTx): Promise<boolean> => {
  const [row] = await tx.query<{ isBehind: boolean }>(
    `select coalesce(
       (select n.change_no from notes.notes n
        where n.company_id = $1 order by n.change_no desc limit 1), 0)
     > coalesce(
       (select p.change_no from notes.search_progress p where p.company_id = $1), 0) as "isBehind"`,
    [tx.companyId],
    'notes: has unindexed notes',
  );
  return row?.isBehind ?? false;
};
