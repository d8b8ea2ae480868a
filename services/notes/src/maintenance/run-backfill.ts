import { pause, runPeriodically } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';

/** What this release needs of the notes of earlier ones. */
type Backfill = {
  /** What is filled, for the log. */
  readonly what: string;
  /** The companies with something to do, and how many changes. */
  readonly list: () => Promise<readonly PendingCompany[]>;
  /** Does the next part of a company; true: there may be more. */
  readonly addPart: (companyId: CompanyId) => Promise<boolean>;
};

type PendingCompany = { readonly companyId: CompanyId; readonly pending: number };

/** Companies are listed this often, because another process may have stopped in the middle of one. */
const listEveryMs = 60_000;

/**
 * Fills company by company in the background, until the signal. Several processes may work on one company: each
 * part is stored once. A company that fails is retried later, after the others.
 */
export const runBackfill = (
  { log }: Pick<Deps, 'log'>,
  { what, list, addPart }: Backfill,
  stopping: AbortSignal,
): Promise<void> => {
  const onError = (error: unknown) =>
    log.warn({ err: error }, `filling ${what} failed; a retry follows`);
  const run = async (): Promise<void> => {
    for (const { companyId, pending } of await list()) {
      log.info({ companyId, changes: pending }, `filling ${what} of a company`);
      await fillCompany(addPart, companyId, stopping).catch(onError);
    }
  };
  return runPeriodically({ run, pauseMs: listEveryMs, onError }, stopping);
};

const fillCompany = async (
  addPart: Backfill['addPart'],
  companyId: CompanyId,
  stopping: AbortSignal,
): Promise<void> => {
  let hasMore = true;
  while (hasMore && !stopping.aborted) {
    const startedAt = performance.now();
    hasMore = await addPart(companyId);
    // Half of the time is left to others.
    await pause(performance.now() - startedAt, stopping);
  }
};
