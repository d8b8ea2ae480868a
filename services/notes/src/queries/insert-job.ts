import type { CompanyTx } from '@commonplace/db';
import type { JobCaller, JobRequest } from './job-row.ts';

export type NewJob = {
  readonly id: string;
  readonly caller: JobCaller;
  readonly request: JobRequest;
  readonly at: Date;
};

/** Stores what a job is asked to do, under row-level security. */
export const insertJob = async (tx: CompanyTx, job: NewJob): Promise<void> => {
  const { id, caller, request, at } = job;
  await tx.query(
    `insert into notes.jobs (company_id, id, status, caller, request, total, created_at)
     values ($1, $2, 'queued', $3, $4, $5, $6)`,
    [tx.companyId, id, JSON.stringify(caller), JSON.stringify(request), request.changes.length, at],
  );
};
