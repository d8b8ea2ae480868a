import type { CompanyId, ErrorCode, JobId } from '@commonplace/contracts/core';
import type {
  Author,
  SyncChangeResult,
  SyncJobStatus,
  SyncRequest,
  SyncResult,
} from '@commonplace/contracts/notes';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

/** Who asked for a job: what is needed to ask again whether it may still write. */
export type JobCaller = { readonly author: Author; readonly isLocal: boolean };

/** What is kept of the request of a job. */
export type JobRequest = Pick<
  SyncRequest,
  'clientId' | 'cursor' | 'limit' | 'onConflict' | 'changes'
>;

/** What became of the changes done so far. */
export type JobProgress = {
  readonly results: readonly SyncChangeResult[];
  /** Change numbers that the results make known, so that the pull need not repeat them. */
  readonly known: readonly number[];
  /** Bytes of the notes that the results show, about. */
  readonly bytesShown: number;
};

type JobError = { readonly code: ErrorCode; readonly detail: string };

/** A job as it is shown. */
export type JobRow = {
  readonly id: JobId;
  readonly status: SyncJobStatus;
  readonly caller: JobCaller;
  readonly done: number;
  readonly total: number;
  readonly result: SyncResult | null;
  readonly error: JobError | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** A job with what its worker needs. */
export type JobTaskRow = Pick<JobRow, 'id' | 'status' | 'caller' | 'done' | 'total'> & {
  /** A `JobRequest` in JSON. */
  readonly request: string;
  readonly progress: JobProgress | null;
};

/** A job of the queue, held by this worker until its lease runs out. */
export type LeasedJob = {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly leaseToken: string;
  /** How often it was begun since it last got on, this time included. */
  readonly attempts: number;
};

export type NewJob = {
  readonly id: string;
  readonly caller: JobCaller;
  /** A `JobRequest` in JSON: up to 32 MiB. */
  readonly request: Buffer;
  readonly total: number;
  readonly at: Date;
};

/** Stores what a job is asked to do, under row-level security. */
export const insertJob = async (tx: CompanyTx, job: NewJob): Promise<void> => {
  const { id, caller, request, total, at } = job;
  await tx.query(
    `insert into notes.jobs (company_id, id, status, caller, request, total, created_at)
     values ($1, $2, 'queued', $3, $4, $5, $6)`,
    [tx.companyId, id, JSON.stringify(caller), request, total, at],
  );
};

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

/** Which company a job belongs to; null: there is no such job. Tells 403 from 404. */
export const findJobOwner = async (tx: GlobalTx, id: string): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ owner: CompanyId }>(
    'select q.company_id as owner from notes.job_queue q where q.id = $1',
    [id],
  );
  return row?.owner ?? null;
};

/** What a worker needs to work on a job: up to 32 MiB, read once per lease. */
export const findJobPayload = async (tx: CompanyTx, id: JobId): Promise<JobTaskRow | null> => {
  const [row] = await tx.query<JobTaskRow>(
    `select j.id, j.status, j.caller, j.done, j.total, j.request::text as request, j.results as progress
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ?? null;
};

export type LockedJob = {
  readonly status: SyncJobStatus;
  readonly done: number;
  readonly caller: JobCaller;
};

/**
 * Holds a job until COMMIT. A worker holds it while it applies a chunk, so that whoever cancels it
 * waits for that chunk and knows that no other follows.
 */
export const lockJob = async (tx: CompanyTx, id: JobId): Promise<LockedJob | null> => {
  const [row] = await tx.query<LockedJob>(
    `select j.status, j.done, j.caller from notes.jobs j
     where j.company_id = $1 and j.id = $2 for no key update`,
    [tx.companyId, id],
  );
  return row ?? null;
};

/** A worker has begun. Taking a job over from another changes nothing. */
export const startJob = async (tx: CompanyTx, id: JobId, at: Date): Promise<void> => {
  await tx.query(
    `update notes.jobs set status = 'running', started_at = $3
     where company_id = $1 and id = $2 and status = 'queued'`,
    [tx.companyId, id, at],
  );
};

export type JobStep = { readonly done: number; readonly progress: JobProgress };

/** Remembers what became of a chunk, under the lock of the job; earlier attempts are forgiven. */
export const updateJobProgress = async (
  tx: CompanyTx,
  id: JobId,
  { done, progress }: JobStep,
): Promise<void> => {
  await tx.query(
    `with queued as (
       update notes.job_queue set attempts = 1 where id = $2 and company_id = $1
     )
     update notes.jobs set done = $3, results = $4 where company_id = $1 and id = $2`,
    [tx.companyId, id, done, JSON.stringify(progress)],
  );
};

/** How a job ended. */
export type JobEnd = {
  readonly status: Extract<SyncJobStatus, 'succeeded' | 'failed' | 'cancelled'>;
  readonly result: SyncResult | null;
  readonly error: JobError | null;
  readonly at: Date;
};

/** Ends a job, under its lock. What it was asked to do is needed no longer, and is large. */
export const finishJob = async (tx: CompanyTx, id: JobId, end: JobEnd): Promise<void> => {
  const { status, result, error, at } = end;
  await tx.query(
    `with queued as (
       update notes.job_queue set is_finished = true, lease_token = null
       where id = $2 and company_id = $1
     )
     update notes.jobs
     set status = $3, result = $4, error = $5, finished_at = $6, request = '{}', results = null
     where company_id = $1 and id = $2`,
    [
      tx.companyId,
      id,
      status,
      result && JSON.stringify(result),
      error && JSON.stringify(error),
      at,
    ],
  );
};
