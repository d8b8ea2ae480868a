import type { CompanyTx } from '@commonplace/db';

/** How many jobs of a company wait or run. */
export const countUnfinishedJobs = async (tx: CompanyTx): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from notes.job_queue q where q.company_id = $1 and not q.is_finished`,
    [tx.companyId],
  );
  return row?.count ?? 0;
};
