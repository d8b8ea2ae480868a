import { AppError, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { read, write, type CompanyTx, type Db } from '@commonplace/db';
import type { Logger } from '@commonplace/http';
import {
  cancelRunningRuns,
  deleteRunCancellation,
  hasRunCancellation,
  listCompaniesWithRunCancellations,
  lockRunCancellation,
  type RunCancellation,
} from '../queries/run-cancellations.ts';
import type { EndedRunRow } from '../queries/runs.ts';
import {
  cancelRunsOfSource,
  deleteSourceCancellation,
  listCompaniesWithSourceCancellations,
  lockSourceCancellation,
} from '../queries/source-cancellations.ts';
import type { ChangeTx } from '../queries/tx.ts';
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

/** Cancellations that are committed but not finished: `cancel` ends up to `limit` runs of one. */
type CancellationQueue<Item extends Pick<RunCancellation, 'reason' | 'actor' | 'at'>> = {
  readonly lock: (tx: CompanyTx) => Promise<Item | null>;
  readonly cancel: (tx: ChangeTx, item: Item, limit: number) => Promise<EndedRunRow[]>;
  /** False if runs remain. */
  readonly remove: (tx: ChangeTx, item: Item) => Promise<boolean>;
};

/** Makes the function that cancels up to `batches` batches of a company and returns how many runs those were. */
const cancelBatchesOf =
  <Item extends Pick<RunCancellation, 'reason' | 'actor' | 'at'>>(queue: CancellationQueue<Item>) =>
  async (db: Db, companyId: CompanyId, batches: number): Promise<number> => {
    let cancelled = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const runs = await write(db, companyId, (scope) => cancelBatch(scope, queue));
      if (runs === null) {
        break;
      }
      cancelled += runs;
    }
    return cancelled;
  };

/** Returns null if nothing is pending, or another process holds it. */
const cancelBatch = async <Item extends Pick<RunCancellation, 'reason' | 'actor' | 'at'>>(
  scope: CompanyTx,
  { lock, cancel, remove }: CancellationQueue<Item>,
): Promise<number | null> => {
  const tx = trustChange(scope, 'what ends these runs is committed');
  const item = await lock(tx);
  if (!item) {
    return null;
  }
  const { reason, actor, at } = item;
  const runs = await cancel(tx, item, batchRuns);
  await finalizeRuns(tx, { runs, action: 'run.cancelled', reason }, { actor, at });
  const isFinished = runs.length < batchRuns && (await remove(tx, item));
  // If only locked runs are left, the next round retries.
  return runs.length === 0 && !isFinished ? null : runs.length;
};

/** Of agents and companies whose status ends their runs, and of keys and operators who are no longer responsible for theirs. */
const queues = {
  status: {
    listCompanies: listCompaniesWithRunCancellations,
    cancelIn: cancelBatchesOf({
      lock: lockRunCancellation,
      cancel: cancelRunningRuns,
      remove: deleteRunCancellation,
    }),
  },
  source: {
    listCompanies: listCompaniesWithSourceCancellations,
    cancelIn: cancelBatchesOf({
      lock: lockSourceCancellation,
      cancel: cancelRunsOfSource,
      remove: deleteSourceCancellation,
    }),
  },
} as const;

/**
 * Cancels the runs that something has ended, company by company, in batches with a transaction each: a pause,
 * termination or archiving, a revoked key, an operator who was removed, disabled or made a viewer. Safe to run in
 * several processes. Returns the number of runs cancelled.
 */
export const finishCancellations = async (db: Db): Promise<number> => {
  let cancelled = 0;
  const failures: unknown[] = [];
  for (const { listCompanies, cancelIn } of Object.values(queues)) {
    for (const companyId of await read(db, 'global', (tx) => listCompanies(tx, companiesMax))) {
      try {
        cancelled += await cancelIn(db, companyId, batchesMax);
      } catch (error) {
        // A failure in one company must not keep the runs of the others alive.
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be cancelled');
  }
  return cancelled;
};

/**
 * Cancels the first batches within the request, which covers the usual number of runs. What ends the runs is
 * already committed, so `finishCancellations` handles the rest and any failure.
 */
export const cancelFirstRuns = async (
  { db, log }: { readonly db: Db; readonly log: Logger },
  companyId: CompanyId,
  queue: keyof typeof queues,
): Promise<void> => {
  try {
    await queues[queue].cancelIn(db, companyId, batchesOfRequest);
  } catch (error) {
    log.warn({ err: error }, 'runs were not cancelled with the request; a retry follows');
  }
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
    throw new AppError('busy', 'Its runs are still being cancelled; retry after 1 s.');
  }
};
