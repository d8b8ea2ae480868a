import type { JobId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { JobRow } from './job-row.ts';

/** One job as it is shown, without what it was asked to do. */
export const findJob = async (tx: CompanyTx, id: JobId): Promise<JobRow | null> => {
  const [row] = await tx.query<JobRow>(
    `select j.id, j.status, j.caller, j.done, j.total, j.result, j.error,
       j.created_at as "createdAt", j.started_at as "startedAt", j.finished_at as "finishedAt"
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ?? null;
};
