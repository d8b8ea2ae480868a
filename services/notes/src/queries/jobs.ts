import type { CompanyId, ErrorCode, JobId } from '@commonplace/contracts/core';
import type {
  SyncChangeResult,
  SyncJobStatus,
  SyncRequest,
  SyncResult,
} from '@commonplace/contracts/notes';
import { stayOnNode, type CompanyTx, type GlobalTx } from '@commonplace/db';
import { readCaller, storedCaller, type JobCaller, type StoredCaller } from './job-caller.ts';

/** The stored part of a job's request. */
export type JobRequest = Pick<
  SyncRequest,
  'clientId' | 'cursor' | 'limit' | 'onConflict' | 'changes'
> &
  // Absent in jobs of the release before.
  Partial<Pick<SyncRequest, 'pull' | 'echo' | 'proposals'>>;

/** The results of the changes processed so far. */
export type JobProgress = {
  readonly results: readonly SyncChangeResult[];
  /** Change numbers covered by the results; the pull leaves them out. */
  readonly known: readonly number[];
  /** Approximate bytes of the notes in the results. */
  readonly bytesShown: number;
};

type JobError = { readonly code: ErrorCode; readonly detail: string };

/** A job as the API lists it. */
export type JobSummaryRow = {
  readonly id: JobId;
  readonly status: SyncJobStatus;
  readonly caller: JobCaller;
  readonly done: number;
  readonly total: number;
  readonly error: JobError | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** A job as the API shows it. */
export type JobRow = JobSummaryRow & { readonly result: SyncResult | null };

/** A job as its worker finds it. */
export type JobTaskRow = Pick<JobRow, 'status' | 'caller' | 'total'>;

/** What a job does, and what it has done. */
export type JobPayload = {
  readonly done: number;
  /** A `JobRequest` in JSON. */
  readonly request: string;
  readonly progress: JobProgress | null;
};

/** A row with its caller as it is stored. */
type Stored<Row> = Omit<Row, 'caller'> & { readonly caller: StoredCaller };

const withCaller = <Row extends { readonly caller: StoredCaller }>(row: Row) => ({
  ...row,
  caller: readCaller(row.caller),
});

/** A job claimed by this worker until its lease expires. */
export type LeasedJob = {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly leaseToken: string;
  /** Attempts since the last progress, including this one. */
  readonly attempts: number;
  /** Failures since the last progress, those of dependencies included. */
  readonly failures: number;
};

export type NewJob = {
  readonly id: string;
  readonly caller: JobCaller;
  /** A `JobRequest` in JSON: up to 32 MiB. */
  readonly request: Buffer;
  readonly total: number;
  readonly at: Date;
};

/** Stores a job with its request, under row-level security. */
export const insertJob = async (tx: CompanyTx, job: NewJob): Promise<void> => {
  const { id, caller, request, total, at } = job;
  await tx.query(
    `insert into notes.jobs (company_id, id, status, caller, request, total, created_at)
     values ($1, $2, 'queued', $3, $4, $5, $6)`,
    [tx.companyId, id, JSON.stringify(storedCaller(caller)), request, total, at],
  );
};

/** One job as the API shows it, without its request. */
export const findJob = async (tx: CompanyTx, id: JobId): Promise<JobRow | null> => {
  const [row] = await tx.query<Stored<JobRow>>(
    `select j.id, j.status, j.caller, j.done, j.total, j.result, j.error,
       j.created_at as "createdAt", j.started_at as "startedAt", j.finished_at as "finishedAt"
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ? withCaller(row) : null;
};

/** Who ordered a job, and the bytes of its result as JSON: what reading it takes. */
export const findJobSize = async (
  tx: CompanyTx,
  id: JobId,
): Promise<{ readonly caller: JobCaller; readonly resultBytes: number } | null> => {
  const [row] = await tx.query<Stored<{ caller: JobCaller; resultBytes: number }>>(
    `select j.caller, coalesce(octet_length(j.result::text), 0) as "resultBytes"
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ? withCaller(row) : null;
};

/** The jobs of a company without their results, newest first: ids ascend with time. */
export const listJobs = async (
  tx: CompanyTx,
  { before, limit }: { readonly before: JobId | null; readonly limit: number },
): Promise<JobSummaryRow[]> => {
  const rows = await tx.query<Stored<JobSummaryRow>>(
    `select j.id, j.status, j.caller, j.done, j.total, j.error,
       j.created_at as "createdAt", j.started_at as "startedAt", j.finished_at as "finishedAt"
     from notes.jobs j
     where j.company_id = $1 and ($2::uuid is null or j.id < $2)
     order by j.id desc
     limit $3`,
    [tx.companyId, before, limit],
  );
  return rows.map(withCaller);
};

/** The company a job belongs to; null: no such job. Distinguishes 403 from 404. */
export const findJobOwner = async (tx: GlobalTx, id: string): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ owner: CompanyId }>(
    'select q.company_id as owner from notes.job_queue q where q.id = $1',
    [id],
  );
  return row?.owner ?? null;
};

/** A job without its request, for a worker. */
export const findJobTask = async (tx: CompanyTx, id: JobId): Promise<JobTaskRow | null> => {
  const [row] = await tx.query<Stored<JobTaskRow>>(
    `select j.status, j.caller, j.total
     from notes.jobs j where j.company_id = $1 and j.id = $2`,
    [tx.companyId, id],
  );
  return row ? withCaller(row) : null;
};

/** The request of a job and its results so far: up to 32 MiB, read once per lease. Null: it has ended. */
export const findJobPayload = async (tx: CompanyTx, id: JobId): Promise<JobPayload | null> => {
  const [row] = await tx.query<JobPayload>(
    `select j.done, j.request::text as request, j.results as progress
     from notes.jobs j where j.company_id = $1 and j.id = $2 and j.finished_at is null`,
    [tx.companyId, id],
  );
  return row ?? null;
};

type UnfinishedJob = {
  readonly id: JobId;
  readonly caller: JobCaller;
  readonly createdAt: Date;
};

/** The jobs of a company that have not ended, and their callers. */
export const listUnfinishedJobs = async (tx: CompanyTx): Promise<UnfinishedJob[]> => {
  const rows = await tx.query<Omit<UnfinishedJob, 'caller'> & { readonly caller: StoredCaller }>(
    `select j.id, j.caller, j.created_at as "createdAt" from notes.jobs j
     where j.company_id = $1 and j.finished_at is null
     order by j.created_at`,
    [tx.companyId],
  );
  return rows.map(withCaller);
};

export type LockedJob = {
  readonly status: SyncJobStatus;
  readonly done: number;
  readonly caller: JobCaller;
};

/** Locks a job until COMMIT. */
export const lockJob = async (tx: CompanyTx, id: JobId): Promise<LockedJob | null> => {
  await stayOnNode(tx, 'notes.company_feed');
  const [row] = await tx.query<Stored<LockedJob>>(
    `select j.status, j.done, j.caller from notes.jobs j
     where j.company_id = $1 and j.id = $2 for no key update`,
    [tx.companyId, id],
  );
  return row ? withCaller(row) : null;
};

/** Marks a queued job as running; no effect on a job taken over from another worker. */
export const startJob = async (tx: CompanyTx, id: JobId, at: Date): Promise<void> => {
  await tx.query(
    `update notes.jobs set status = 'running', started_at = $3
     where company_id = $1 and id = $2 and status = 'queued'`,
    [tx.companyId, id, at],
  );
};

/** Counts changes that were applied before a job was cancelled, and whose results came too late to be stored. */
export const countApplied = async (tx: CompanyTx, id: JobId, done: number): Promise<void> => {
  await tx.query(
    `update notes.jobs set done = $3
     where company_id = $1 and id = $2 and status = 'cancelled' and done < $3`,
    [tx.companyId, id, done],
  );
};

/** A job or an undo made progress: its attempts and failures count from here. */
export const resetAttempts = async (tx: CompanyTx, id: string): Promise<void> => {
  await tx.query(
    'update notes.job_queue set attempts = 1, failures = 0 where id = $2 and company_id = $1',
    [tx.companyId, id],
  );
};

export type JobStep = { readonly done: number; readonly progress: JobProgress };

/** Stores the results of a chunk, under the lock of the job, and resets its attempts and failures. */
export const updateJobProgress = async (
  tx: CompanyTx,
  id: JobId,
  { done, progress }: JobStep,
): Promise<void> => {
  await Promise.all([
    resetAttempts(tx, id),
    tx.query('update notes.jobs set done = $3, results = $4 where company_id = $1 and id = $2', [
      tx.companyId,
      id,
      done,
      JSON.stringify(progress),
    ]),
  ]);
};

/** The final state of a job. */
export type JobEnd = {
  readonly status: Extract<SyncJobStatus, 'succeeded' | 'failed' | 'cancelled'>;
  readonly result: SyncResult | null;
  readonly error: JobError | null;
  readonly at: Date;
};

/** Ends a job, under its lock. Clears its request, which is large and no longer needed. */
export const finishJob = async (tx: CompanyTx, id: JobId, end: JobEnd): Promise<void> => {
  const { status, result, error, at } = end;
  const values = [status, result && JSON.stringify(result), error && JSON.stringify(error), at];
  await Promise.all([
    tx.query(
      `update notes.job_queue set is_finished = true, lease_token = null
       where id = $2 and company_id = $1`,
      [tx.companyId, id],
    ),
    tx.query(
      `update notes.jobs
       set status = $3, result = $4, error = $5, finished_at = $6, request = '{}', results = null
       where company_id = $1 and id = $2`,
      [tx.companyId, id, ...values],
    ),
  ]);
};

/** How much a company keeps of its finished jobs. */
export type KeptJobs = { readonly count: number; readonly bytes: number };

/**
 * Deletes the finished jobs of a company beyond a number or beyond the stored bytes of their results, the oldest first. A
 * request of some bytes may have a result of megabytes.
 */
export const deleteJobsBeyond = async (
  tx: CompanyTx,
  { count, bytes }: KeptJobs,
): Promise<void> => {
  await tx.query(
    `with kept as (
       select j.id, row_number() over newest as place,
         sum(coalesce(pg_column_size(j.result), 0)) over newest as bytes
       from notes.jobs j
       where j.company_id = $1 and j.finished_at is not null
       window newest as (order by j.finished_at desc, j.id desc rows unbounded preceding)
     ), gone as (
       delete from notes.jobs j using kept
       where j.company_id = $1 and j.id = kept.id and (kept.place > $2 or kept.bytes > $3)
         and kept.place > 1
       returning j.id
     )
     delete from notes.job_queue q using gone where q.company_id = $1 and q.id = gone.id`,
    [tx.companyId, count, bytes],
  );
};
