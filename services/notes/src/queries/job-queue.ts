import type { CompanyTx, GlobalTx } from '@commonplace/db';
import type { LeasedJob } from './jobs.ts';

/** What names the lease of a job. */
export type HeldLease = { readonly id: string; readonly leaseToken: string };

export type QueuedJob = {
  readonly id: string;
  readonly at: Date;
  /** When it may begin; absent: at once. */
  readonly availableAt?: Date;
  /** Undos come before synchronisations. */
  readonly isUndo?: boolean;
};

/** Adds a job to the shared queue, in the transaction that stores its request. */
export const insertQueuedJob = async (
  tx: CompanyTx,
  { id, at, availableAt = at, isUndo = false }: QueuedJob,
): Promise<void> => {
  await tx.query(
    `insert into notes.job_queue (id, company_id, available_at, created_at, is_undo)
     values ($2, $1, $3, $4, $5)`,
    [tx.companyId, id, availableAt, at, isUndo],
  );
};

export type Lease = { readonly token: string; readonly from: Date; readonly until: Date };

/** The companies of which a worker has an undo, or a synchronisation, at the time that a parameter names. */
const companiesAtWork = (now: '$1' | '$2'): string => `
  select l.company_id, l.is_undo from notes.job_queue l
  where not l.is_finished and l.lease_token is not null and l.available_at > ${now}`;

/**
 * Claims the next job of any company; null: none is available. A company comes after the others while a worker has a
 * job of it, and goes to the end of the queue with every job that is claimed of it. Its undos come before
 * synchronisations. The job of a dead worker becomes available when its lease expires. Skips jobs that another
 * worker is claiming.
 */
export const claimJob = async (tx: GlobalTx, lease: Lease): Promise<LeasedJob | null> => {
  const [row] = await tx.query<LeasedJob>(
    `with claimed as (
       update notes.job_queue q
       set lease_token = $1, available_at = $3, attempts = q.attempts + 1
       where q.id = (
         select w.id from notes.job_queue w
         where not w.is_finished and w.available_at <= $2
         order by (w.company_id, w.is_undo) in (${companiesAtWork('$2')}), w.is_undo desc, w.available_at, w.id
         limit 1
         for update skip locked
       )
       returning q.id, q.company_id, q.lease_token, q.attempts, q.failures
     ), moved as (
       update notes.job_queue q set available_at = $2
       where q.id in (
         select w.id from notes.job_queue w
         join claimed c on c.company_id = w.company_id and c.id <> w.id
         where not w.is_finished and w.lease_token is null and w.available_at < $2
         for update of w skip locked
       )
     )
     select c.id, c.company_id as "companyId", c.lease_token as "leaseToken", c.attempts, c.failures
     from claimed c`,
    [lease.token, lease.from, lease.until],
  );
  return row ?? null;
};

/** Extends a lease; false: it expired and another worker has the job, or the job has ended. */
export const renewLease = async (
  tx: GlobalTx,
  { id, leaseToken }: Pick<LeasedJob, 'id' | 'leaseToken'>,
  until: Date,
): Promise<boolean> => {
  const rows = await tx.query(
    `update notes.job_queue set available_at = $3
     where id = $1 and lease_token = $2 and not is_finished
     returning id`,
    [id, leaseToken, until],
  );
  return rows.length > 0;
};

/**
 * The tokens of those leases that are held. Until COMMIT none of these jobs ends or is taken over, so a request that
 * cancels one waits for what the transaction writes.
 */
export const holdLeases = async (
  tx: CompanyTx,
  leases: readonly HeldLease[],
): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ leaseToken: string }>(
    `select q.lease_token as "leaseToken" from notes.job_queue q
     where q.company_id = $1 and q.id = any ($2::uuid[]) and q.lease_token = any ($3::uuid[])
       and not q.is_finished
     order by q.id
     for share`,
    [tx.companyId, leases.map(({ id }) => id), leases.map(({ leaseToken }) => leaseToken)],
    'notes.hold-leases',
  );
  return new Set(rows.map(({ leaseToken }) => leaseToken));
};

/** Whether an undo waits of a company of which no worker has one. */
export const hasWaitingUndo = async (tx: GlobalTx, now: Date): Promise<boolean> => {
  const [row] = await tx.query<{ isWaiting: boolean }>(
    `select exists (
       select from notes.job_queue w
       where not w.is_finished and w.is_undo and w.available_at <= $1
         and (w.company_id, w.is_undo) not in (${companiesAtWork('$1')})
     ) as "isWaiting"`,
    [now],
  );
  return row?.isWaiting ?? false;
};

/** Returns a job to the queue as one that goes on where it is, before what its company ordered later. */
export const yieldJob = async (
  tx: GlobalTx,
  { id, leaseToken }: Pick<LeasedJob, 'id' | 'leaseToken'>,
): Promise<void> => {
  await tx.query(
    `update notes.job_queue
     set lease_token = null, available_at = created_at, attempts = attempts - 1
     where id = $1 and lease_token = $2 and not is_finished`,
    [id, leaseToken],
  );
};

export type Release = {
  readonly availableAt: Date;
  /** Whether the attempt counts against the job; false when a dependency was unavailable. */
  readonly isAttempt: boolean;
};

/** Returns a job that failed to the queue, for any worker to continue. */
export const releaseJob = async (
  tx: GlobalTx,
  { id, leaseToken }: Pick<LeasedJob, 'id' | 'leaseToken'>,
  { availableAt, isAttempt }: Release,
): Promise<void> => {
  await tx.query(
    `update notes.job_queue
     set lease_token = null, available_at = $3, attempts = attempts - $4, failures = failures + 1
     where id = $1 and lease_token = $2 and not is_finished`,
    [id, leaseToken, availableAt, isAttempt ? 0 : 1],
  );
};

/** Counts of unfinished jobs. */
export type JobCounts = {
  readonly waiting: number;
  readonly running: number;
  /** Age of the oldest one, in seconds; 0: none. */
  readonly oldestSeconds: number;
};

/** Counts the unfinished jobs of all companies, leased (`running`) and not (`waiting`). */
export const countJobs = async (tx: GlobalTx, now: Date): Promise<JobCounts> => {
  const [row] = await tx.query<JobCounts>(
    `select count(*) filter (where lease_token is null)::integer as waiting,
       count(lease_token)::integer as running,
       coalesce(extract(epoch from $1::timestamptz - min(created_at)), 0)::double precision
         as "oldestSeconds"
     from notes.job_queue
     where not is_finished`,
    [now],
  );
  return row ?? { waiting: 0, running: 0, oldestSeconds: 0 };
};

/** The number of unfinished jobs of a company. */
export const countUnfinishedJobs = async (tx: CompanyTx): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from notes.job_queue q where q.company_id = $1 and not q.is_finished`,
    [tx.companyId],
  );
  return row?.count ?? 0;
};
