import { AppError, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { runGlobal, withCompany, type CompanyTx, type Db } from '@commonplace/db';
import type { Logger } from '@commonplace/http';
import {
  cancelRunningRuns,
  deleteRunCancellation,
  hasRunCancellation,
  listCompaniesWithRunCancellations,
  lockRunCancellation,
} from '../queries/run-cancellations.ts';
import { trustChange } from './begin-change.ts';
import { finalizeRuns } from './finalize-runs.ts';

/** Runs cancelled per transaction. */
const batchRuns = 500;

/** Batches that a request waits for. */
const batchesOfRequest = 2;

/** Companies per round. */
const companiesMax = 100;

/** Batches per company and round: a company with very many runs does not delay the others. */
const batchesMax = 20;

/**
 * Cancels the runs that a pause, termination or archiving left running, company by company, in
 * batches with a transaction each. Safe to run in several processes. Returns the number of runs
 * cancelled.
 */
export const finishCancellations = async (db: Db): Promise<number> => {
  const companies = await runGlobal(db, (tx) =>
    listCompaniesWithRunCancellations(tx, companiesMax),
  );
  let cancelled = 0;
  const failures: unknown[] = [];
  for (const companyId of companies) {
    try {
      cancelled += await cancelInCompany(db, companyId, batchesMax);
    } catch (error) {
      // A failure in one company must not keep the runs of the others alive.
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be cancelled');
  }
  return cancelled;
};

/**
 * Cancels the first batches within the request, which covers the usual number of runs. The status
 * that ends the runs is already committed, so `finishCancellations` handles the rest and any
 * failure.
 */
export const cancelFirstRuns = async (
  { db, log }: { readonly db: Db; readonly log: Logger },
  companyId: CompanyId,
): Promise<void> => {
  try {
    await cancelInCompany(db, companyId, batchesOfRequest);
  } catch (error) {
    log.warn({ err: error }, 'runs were not cancelled with the request; a retry follows');
  }
};

/** Cancels up to `batches` batches of a company; returns the number of runs cancelled. */
const cancelInCompany = async (db: Db, companyId: CompanyId, batches: number): Promise<number> => {
  let cancelled = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const runs = await withCompany(db, companyId, cancelBatch);
    if (runs === null) {
      break;
    }
    cancelled += runs;
  }
  return cancelled;
};

/** Returns null if nothing is pending, or another process holds it. */
const cancelBatch = async (scope: CompanyTx): Promise<number | null> => {
  const tx = trustChange(scope, 'the status that ends these runs is committed');
  const cancellation = await lockRunCancellation(tx);
  if (!cancellation) {
    return null;
  }
  const { id, agentId, reason, actor, at } = cancellation;
  const runs = await cancelRunningRuns(tx, { agentId, at, reason, limit: batchRuns });
  await finalizeRuns(tx, { runs, action: 'run.cancelled', reason }, { actor, at });
  const isFinished = runs.length < batchRuns && (await deleteRunCancellation(tx, id));
  // If only locked runs are left, the next round retries.
  return runs.length === 0 && !isFinished ? null : runs.length;
};

/**
 * Throws 503 while cancellations are pending: an agent or a company becomes active only after its
 * former runs are cancelled, because a cancelled run must not resume. Lock the agent or the company
 * first.
 */
export const assertRunsCancelled = async (
  tx: CompanyTx,
  agentId: AgentId | null,
): Promise<void> => {
  if (await hasRunCancellation(tx, agentId)) {
    throw new AppError('busy', 'Its runs are still being cancelled; retry after 1 s.', {
      headers: { 'Retry-After': '1' },
    });
  }
};
