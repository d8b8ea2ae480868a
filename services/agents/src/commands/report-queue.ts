import {
  createBatchQueue,
  jobsThatPass,
  type BatchSize,
  type SettleJob,
} from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, write } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import type { BookReport, Deps, SubmittedReport } from '../deps.ts';
import type { ReportRow } from '../queries/usage-reports.ts';
import { bookReports } from './book-reports.ts';

type Job = SubmittedReport & BatchSize;

const batchMax: BatchSize = { changes: 200, bytes: Infinity };
const queueMax: BatchSize = { changes: 5_000, bytes: Infinity };

/**
 * Creates the queue that books reports: reports of a company that arrive while others are booked share the next
 * transaction, so that many at once cost no transaction each. Resolves after COMMIT.
 */
export const createReportQueue = (deps: Pick<Deps, 'db' | 'clock'>): BookReport => {
  const submit = createBatchQueue<CompanyId, Job, ReportRow>({
    run: (companyId, jobs, settle) => bookAllowed({ ...deps, settle }, companyId, jobs),
    batchMax,
    queueMax,
    rejection: () => new AppError('busy', 'Too many reports of this company are waiting.'),
  });
  return (companyId, report) => submit(companyId, { ...report, changes: 1, bytes: 0 });
};

type BookDeps = Pick<Deps, 'db' | 'clock'> & { readonly settle: SettleJob<Job, ReportRow> };

/** Books the reports of callers who are still allowed after the wait; the others fail individually. */
const bookAllowed = async (
  deps: BookDeps,
  companyId: CompanyId,
  jobs: readonly Job[],
): Promise<void> => {
  const allowed = await jobsThatPass(jobs, (job) => job.recheck(), deps.settle);
  if (allowed.length > 0) {
    await book(deps, companyId, allowed);
  }
};

/**
 * Books reports in one transaction. If that fails for another reason than an outage, books them one by one, so that
 * only those that cannot be stored fail. A report that was committed after all is not booked twice.
 */
const book = async (deps: BookDeps, companyId: CompanyId, jobs: readonly Job[]): Promise<void> => {
  const [booked] = await Promise.allSettled([
    write(deps.db, inIndexOrder(companyId), (tx) => bookReports(tx, jobs, deps.clock())),
  ]);
  if (booked.status === 'fulfilled') {
    jobs.forEach((job, index) => deps.settle(job, booked.value[index] ?? noResult));
    return;
  }
  if (jobs.length === 1 || asAppError(booked.reason).code === 'service_unavailable') {
    jobs.forEach((job) => deps.settle(job, booked));
    return;
  }
  for (const job of jobs) {
    await book(deps, companyId, [job]);
  }
};

const noResult: PromiseRejectedResult = {
  status: 'rejected',
  reason: new Error('A report has no result'),
};
