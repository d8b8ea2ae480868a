import { createBatchQueue, type BatchSize } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { withCompany } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import type { BookReport, Deps, SubmittedReport } from '../deps.ts';
import type { ReportRow } from '../queries/usage-reports.ts';
import { bookReports } from './book-reports.ts';

type Job = SubmittedReport & BatchSize;
type Results = PromiseSettledResult<ReportRow>[];

const batchMax: BatchSize = { changes: 200, bytes: Infinity };
const queueMax: BatchSize = { changes: 5_000, bytes: Infinity };

/**
 * Creates the queue that books reports: reports of a company that arrive while others are booked share the next
 * transaction, so that many at once cost no transaction each. Resolves after COMMIT.
 */
export const createReportQueue = (deps: Pick<Deps, 'db' | 'clock'>): BookReport => {
  const submit = createBatchQueue<CompanyId, Job, ReportRow>({
    run: (companyId, jobs) => bookAllowed(deps, companyId, jobs),
    batchMax,
    queueMax,
    rejection: () =>
      new AppError('busy', 'Too many reports of this company are waiting.', {
        headers: { 'Retry-After': '1' },
      }),
  });
  return (companyId, report) => submit(companyId, { ...report, changes: 1, bytes: 0 });
};

type BookDeps = Pick<Deps, 'db' | 'clock'>;

/** Books the reports of callers who are still allowed after the wait; the others fail individually. */
const bookAllowed = async (
  deps: BookDeps,
  companyId: CompanyId,
  jobs: readonly Job[],
): Promise<Results> => {
  const checks = await Promise.allSettled(jobs.map((job) => job.stillAllowed()));
  const allowed = jobs.filter((_, index) => checks[index]?.status === 'fulfilled');
  const booked = (allowed.length > 0 ? await book(deps, companyId, allowed) : []).values();
  return checks.map((check) =>
    check.status === 'rejected'
      ? check
      : (booked.next().value ?? {
          status: 'rejected',
          reason: new Error('A report has no result'),
        }),
  );
};

/**
 * Books reports in one transaction. If that fails for another reason than an outage, books them one by one, so that
 * only those that cannot be stored fail. A report that was committed after all is not booked twice.
 */
const book = async (
  deps: BookDeps,
  companyId: CompanyId,
  jobs: readonly Job[],
): Promise<Results> => {
  try {
    return await withCompany(deps.db, companyId, (tx) => bookReports(tx, jobs, deps.clock()));
  } catch (reason) {
    if (jobs.length === 1 || asAppError(reason).code === 'service_unavailable') {
      return jobs.map(() => ({ status: 'rejected', reason }));
    }
  }
  const results: Results = [];
  for (const job of jobs) {
    results.push(...(await book(deps, companyId, [job])));
  }
  return results;
};
