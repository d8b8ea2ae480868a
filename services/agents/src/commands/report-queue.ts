import {
  createBatchQueue,
  entriesThatPass,
  type BatchSize,
  type SettleEntry,
} from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, write } from '@commonplace/db';
import { asAppError } from '@commonplace/http';
import type { BookReport, Deps, SubmittedReport } from '../deps.ts';
import type { ReportRow } from '../queries/usage-reports.ts';
import { bookReports } from './book-reports.ts';

type QueuedReport = SubmittedReport & BatchSize;

const batchMax: BatchSize = { changes: 200, bytes: Infinity };
const queueMax: BatchSize = { changes: 5_000, bytes: Infinity };

/**
 * Creates the queue that books reports: reports of a company that arrive while others are booked share the next
 * transaction, so that many at once cost no transaction each. Resolves after COMMIT.
 */
export const createReportQueue = (deps: Pick<Deps, 'db' | 'clock'>): BookReport => {
  const submit = createBatchQueue<CompanyId, QueuedReport, ReportRow>({
    run: (companyId, reports, settle) => bookAllowed({ ...deps, settle }, companyId, reports),
    batchMax,
    queueMax,
    rejection: () => new AppError('busy', 'Too many reports of this company are waiting.'),
  });
  return (companyId, report) => submit(companyId, { ...report, changes: 1, bytes: 0 });
};

type BookDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly settle: SettleEntry<QueuedReport, ReportRow>;
};

/** Books the reports of callers who are still allowed after the wait; the others fail individually. */
const bookAllowed = async (
  deps: BookDeps,
  companyId: CompanyId,
  reports: readonly QueuedReport[],
): Promise<void> => {
  const allowed = await entriesThatPass(reports, (report) => report.recheck(), deps.settle);
  if (allowed.length > 0) {
    await book(deps, companyId, allowed);
  }
};

/**
 * Books reports in one transaction. If that fails for another reason than an outage, books them one by one, so that
 * only those that cannot be stored fail. A report that was committed after all is not booked twice.
 */
const book = async (
  deps: BookDeps,
  companyId: CompanyId,
  reports: readonly QueuedReport[],
): Promise<void> => {
  const [booked] = await Promise.allSettled([
    write(deps.db, inIndexOrder(companyId), (tx) => bookReports(tx, reports, deps.clock())),
  ]);
  if (booked.status === 'fulfilled') {
    reports.forEach((report, index) => deps.settle(report, booked.value[index] ?? noResult));
    return;
  }
  if (reports.length === 1 || asAppError(booked.reason).code === 'service_unavailable') {
    reports.forEach((report) => deps.settle(report, booked));
    return;
  }
  for (const report of reports) {
    await book(deps, companyId, [report]);
  }
};

const noResult: PromiseRejectedResult = {
  status: 'rejected',
  reason: new Error('A report has no result'),
};
