import type { JobId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { JobTaskRow } from './job-row.ts';

/** What a worker needs to work on a job: up to 32 MiB, read once per lease. */
export const findJobTask = async (tx: CompanyTx, id: JobId): Promise<JobTaskRow | null> => {
  const [row] = await tx.query<JobTaskRow>(
    `select j.id, j.status, j.caller, j.done, j.total, j.request, j.results as progress
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ?? null;
};
