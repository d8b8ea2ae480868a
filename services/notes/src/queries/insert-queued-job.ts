import type { CompanyTx } from '@commonplace/db';

/** Puts a job into the queue of all companies, in the transaction that stores what it is to do. */
export const insertQueuedJob = async (
  tx: CompanyTx,
  { id, at }: { readonly id: string; readonly at: Date },
): Promise<void> => {
  await tx.query(
    `insert into notes.job_queue (id, company_id, available_at, created_at)
     values ($2, $1, $3, $3)`,
    [tx.companyId, id, at],
  );
};
