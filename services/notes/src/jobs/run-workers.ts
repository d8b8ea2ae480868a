import { AppError, newId } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { claimJob, releaseJob } from '../queries/job-queue.ts';
import type { LeasedJob } from '../queries/jobs.ts';
import { endJob } from './finish-job.ts';
import { renewJobLease, runJob, type JobLease, type WorkDeps } from './worker.ts';

export type WorkersDeps = WorkDeps & Pick<Deps, 'jobSignal'>;

/** Jobs a process works on at once; their changes go through the same lanes as everybody's. */
const workersPerProcess = 2;
/** How soon work that another process was asked for is seen. */
const pollMs = 1_000;
/** How soon the job of a worker that died is taken over. */
const leaseMs = 15_000;
const heartbeatMs = 5_000;
/** Beginnings without getting on after which a job is given up: it may be what kills its workers. */
const attemptsMax = 20;
const pauseMaxMs = 30_000;

/** Works on synchronisations in the background until the signal; resolves when the last one is left. */
export const runWorkers = async (deps: WorkersDeps, stopping: AbortSignal): Promise<void> => {
  const run = async () => {
    while (!stopping.aborted) {
      if (!(await workOnce(deps, stopping))) {
        await deps.jobSignal.wait(pollMs, stopping);
      }
    }
  };
  await Promise.all(Array.from({ length: workersPerProcess }, run));
};

/** Takes a job and works on it; false when none waits. */
const workOnce = async (deps: WorkersDeps, stopping: AbortSignal): Promise<boolean> => {
  const job = await claim(deps);
  if (job) {
    await attempt(deps, { job, leaseMs, stopping });
  }
  return job !== null;
};

const claim = async ({ db, clock, log }: WorkersDeps): Promise<LeasedJob | null> => {
  const from = clock();
  const lease = { token: newId(), from, until: new Date(from.getTime() + leaseMs) };
  try {
    return await runGlobal(db, (tx) => claimJob(tx, lease));
  } catch (error) {
    log.warn({ err: error }, 'the job queue cannot be read');
    return null;
  }
};

const attempt = async (deps: WorkersDeps, hold: JobLease): Promise<void> => {
  const heartbeat = setInterval(() => {
    renewJobLease(deps, hold).catch((error: unknown) => {
      deps.log.warn({ err: error, jobId: hold.job.id }, 'the lease of a job was not renewed');
    });
  }, heartbeatMs);
  try {
    if (hold.job.attempts > attemptsMax) {
      throw new AppError('unexpected_failure', 'The job was begun too often without getting on.');
    }
    if ((await runJob(deps, hold)) === 'released') {
      await releaseClaim(deps, hold.job, { afterMs: 0, isAttempt: false });
    }
  } catch (error) {
    await settleFailure(deps, hold.job, error).catch((reason: unknown) => {
      deps.log.warn({ err: reason, jobId: hold.job.id }, 'a job waits for its lease to run out');
    });
  } finally {
    clearInterval(heartbeat);
  }
};

/** What the request is to blame for ends the job; everything else is tried again, but not for ever. */
const settleFailure = async (deps: WorkersDeps, job: LeasedJob, error: unknown): Promise<void> => {
  const reason = asAppError(error);
  if (reason.status < 500 || job.attempts >= attemptsMax) {
    await endJob(deps, job, failure(reason, deps.clock()));
    return;
  }
  deps.log.warn({ err: error, jobId: job.id, attempts: job.attempts }, 'a job is tried again');
  await releaseClaim(deps, job, {
    afterMs: Math.min(pauseMaxMs, 500 * 2 ** job.attempts),
    isAttempt: reason.code !== 'service_unavailable',
  });
};

const failure = ({ code, message }: AppError, at: Date) =>
  ({ status: 'failed', result: null, error: { code, detail: message }, at }) as const;

const releaseClaim = (
  { db, clock }: WorkersDeps,
  job: LeasedJob,
  { afterMs, isAttempt }: { readonly afterMs: number; readonly isAttempt: boolean },
): Promise<void> =>
  runGlobal(db, (tx) =>
    releaseJob(tx, job, { availableAt: new Date(clock().getTime() + afterMs), isAttempt }),
  );
