import { pauseAfter } from '@commonplace/concurrency';
import { AppError, newId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import { asAppError, isSlowStatement } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { claimJob, releaseJob, yieldJob } from '../queries/job-queue.ts';
import type { LeasedJob } from '../queries/jobs.ts';
import { failUndo } from '../undo/fail-undo.ts';
import { LeaseLostError } from '../write/lease-lost.ts';
import { endJob } from './finish-job.ts';
import { renewJobLease, runJob, type JobLease, type WorkDeps } from './run-job.ts';

export type WorkersDeps = WorkDeps & Pick<Deps, 'jobSignal'>;

/** Jobs a process runs at once. Their changes use the same write queues as foreground requests. */
const workersPerProcess = 2;
/** Delay until jobs enqueued by other processes are noticed. */
const pollMs = 1_000;
/** Time after which the job of a dead worker is taken over. */
const leaseMs = 15_000;
const heartbeatMs = 5_000;
/** Attempts without progress before the job fails: it may be what crashes its workers. */
const attemptsMax = 20;
const pauseMaxMs = 30_000;

/** Runs background jobs until the signal is aborted; resolves when the last one is released. */
export const runWorkers = async (deps: WorkersDeps, stopping: AbortSignal): Promise<void> => {
  const run = async () => {
    let failures = 0;
    while (!stopping.aborted) {
      const outcome = await workOnce(deps, stopping);
      failures = outcome === 'failed' ? failures + 1 : 0;
      if (outcome !== 'worked') {
        await deps.jobSignal.wait(pauseAfter(failures, pollMs), stopping);
      }
    }
  };
  await Promise.all(Array.from({ length: workersPerProcess }, run));
};

/** Claims and runs one job. */
const workOnce = async (
  deps: WorkersDeps,
  stopping: AbortSignal,
): Promise<'worked' | 'idle' | 'failed'> => {
  const job = await claim(deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'cannot read the job queue; polling continues');
    return 'failed' as const;
  });
  if (job === null || job === 'failed') {
    return job ?? 'idle';
  }
  await attempt(deps, { job, leaseMs, stopping });
  return 'worked';
};

const claim = async ({ db, clock }: WorkersDeps): Promise<LeasedJob | null> => {
  const from = clock();
  const lease = { token: newId(), from, until: new Date(from.getTime() + leaseMs) };
  return write(db, 'global', (tx) => claimJob(tx, lease));
};

const attempt = async (deps: WorkersDeps, lease: JobLease): Promise<void> => {
  const heartbeat = setInterval(() => {
    renewJobLease(deps, lease).catch((error: unknown) => {
      deps.log.warn({ err: error, jobId: lease.job.id }, 'failed to renew a job lease');
    });
  }, heartbeatMs);
  try {
    if (lease.job.attempts > attemptsMax) {
      throw new AppError('unexpected_failure', 'The job made no progress in too many attempts.');
    }
    if ((await runJob(deps, lease)) === 'released') {
      await write(deps.db, 'global', (tx) => yieldJob(tx, lease.job));
    }
  } catch (error) {
    await handleFailure(deps, lease.job, error).catch((reason: unknown) => {
      deps.log.warn(
        { err: reason, jobId: lease.job.id },
        'failed to end or release a job; it waits for its lease to expire',
      );
    });
  } finally {
    clearInterval(heartbeat);
  }
};

/** Errors of the request fail the job; other errors are retried, with a limit. */
const handleFailure = async (deps: WorkersDeps, job: LeasedJob, error: unknown): Promise<void> => {
  if (error instanceof LeaseLostError) {
    return;
  }
  const reason = asAppError(error);
  if (reason.status < 500 || job.attempts >= attemptsMax) {
    const end = failure(reason, deps.clock());
    await endJob(deps, job, end);
    await failUndo(deps, job, end);
    return;
  }
  deps.log.warn(
    { err: error, jobId: job.id, attempts: job.attempts },
    'a job attempt failed; it will be retried',
  );
  await releaseClaim(deps, job, {
    afterMs: Math.min(pauseMaxMs, 1_000 * 2 ** job.failures),
    // Otherwise a job whose statement always times out would occupy a worker without end.
    isAttempt: reason.code !== 'service_unavailable' || isSlowStatement(error),
  });
};

const failure = ({ code, message }: AppError, at: Date) =>
  ({ status: 'failed', result: null, error: { code, detail: message }, at }) as const;

const releaseClaim = (
  { db, clock }: WorkersDeps,
  job: LeasedJob,
  { afterMs, isAttempt }: { readonly afterMs: number; readonly isAttempt: boolean },
): Promise<void> =>
  write(db, 'global', (tx) =>
    releaseJob(tx, job, { availableAt: new Date(clock().getTime() + afterMs), isAttempt }),
  );
