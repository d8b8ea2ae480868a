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

/** Runs cancelled in one transaction. */
const batchRuns = 500;

/** Batches that a request waits for. */
const batchesOfRequest = 2;

/** Companies looked at in one round. */
const companiesMax = 100;

/** Batches of one company in one round: one company with very many runs holds up no other. */
const batchesMax = 20;

/**
 * Cancels the runs that a pause, a termination or an archiving has left running: batch by batch, in
 * transactions of their own, company by company. Any number of processes may do it at once. Gives back how
 * many runs it cancelled.
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
      // One company's trouble must not keep the runs of all others alive.
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be cancelled');
  }
  return cancelled;
};

/**
 * Cancels what one request may wait for; ordinary numbers of runs are all among it. What is left, also because
 * of a failure, is for `finishCancellations`: the status that ends the runs is committed already.
 */
export const cancelFirstRuns = async (
  { db, log }: { readonly db: Db; readonly log: Logger },
  companyId: CompanyId,
): Promise<void> => {
  try {
    await cancelInCompany(db, companyId, batchesOfRequest);
  } catch (error) {
    log.warn({ err: error }, 'runs could not be cancelled at once; it will be tried again');
  }
};

/** Cancels up to `batches` batches of a company; gives back how many runs it cancelled. */
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

/** Null: there is nothing to do, or somebody else does it. */
const cancelBatch = async (scope: CompanyTx): Promise<number | null> => {
  const tx = trustChange(scope, 'who might, has committed the status that ends these runs');
  const cancellation = await lockRunCancellation(tx);
  if (!cancellation) {
    return null;
  }
  const { id, agentId, reason, actor, at } = cancellation;
  const runs = await cancelRunningRuns(tx, { agentId, at, limit: batchRuns });
  await finalizeRuns(tx, { runs, action: 'run.cancelled', reason }, { actor, at });
  const isFinished = runs.length < batchRuns && (await deleteRunCancellation(tx, id));
  // Where only locked runs are left, the next round tries again.
  return runs.length === 0 && !isFinished ? null : runs.length;
};

/**
 * An agent or a company becomes active only when all its runs from before are cancelled (503 until then, for a
 * moment): a run that was cancelled must never go on. Lock the agent or the company first.
 */
export const assertRunsCancelled = async (
  tx: CompanyTx,
  agentId: AgentId | null,
): Promise<void> => {
  if (await hasRunCancellation(tx, agentId)) {
    throw new AppError('busy', 'Its runs are still being cancelled; try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
};
