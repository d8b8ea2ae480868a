import type { GlobalTx } from '@commonplace/db';
import type { LeasedJob } from './job-row.ts';

export type Lease = { readonly token: string; readonly from: Date; readonly until: Date };

/**
 * Takes the job that has waited longest, of any company; null: none waits. A job whose worker died
 * waits again when its lease has run out. Workers pass by what another one is just taking.
 */
export const claimJob = async (tx: GlobalTx, lease: Lease): Promise<LeasedJob | null> => {
  const [row] = await tx.query<LeasedJob>(
    `update notes.job_queue q
     set lease_token = $1, available_at = $3, attempts = q.attempts + 1
     where q.id = (
       select w.id from notes.job_queue w
       where not w.is_finished and w.available_at <= $2
       order by w.available_at
       limit 1
       for update skip locked
     )
     returning q.id, q.company_id as "companyId", q.lease_token as "leaseToken", q.attempts`,
    [lease.token, lease.from, lease.until],
  );
  return row ?? null;
};
