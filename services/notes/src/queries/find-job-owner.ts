import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Which company a job belongs to; null: there is no such job. Tells 403 from 404. */
export const findJobOwner = async (tx: GlobalTx, id: string): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ owner: CompanyId }>(
    'select q.company_id as owner from notes.job_queue q where q.id = $1',
    [id],
  );
  return row?.owner ?? null;
};
