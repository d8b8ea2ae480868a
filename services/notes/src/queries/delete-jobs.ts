import type { CompanyTx } from '@commonplace/db';
import type { PurgeBatch } from './delete-tombstones.ts';

/** Forgets jobs that ended long ago, and their place in the queue; gives how many. */
export const deleteJobs = async (tx: CompanyTx, { before, limit }: PurgeBatch): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select j.id from notes.jobs j
       where j.company_id = $1 and j.finished_at < $2
       limit $3
       for update skip locked
     ), gone as (
       delete from notes.jobs j using old where j.company_id = $1 and j.id = old.id
       returning j.id
     ), queued as (
       delete from notes.job_queue q using gone where q.company_id = $1 and q.id = gone.id
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};
