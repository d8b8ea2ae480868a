import type { JobId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** A worker has begun. Taking a job over from another changes nothing. */
export const startJob = async (tx: CompanyTx, id: JobId, at: Date): Promise<void> => {
  await tx.query(
    `update notes.jobs set status = 'running', started_at = $3
     where company_id = $1 and id = $2 and status = 'queued'`,
    [tx.companyId, id, at],
  );
};
