import { setTimeout as sleep } from 'node:timers/promises';
import { runPeriodically } from '@commonplace/concurrency';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listCompanies } from '../queries/feed.ts';
import { catchUpCatalog, isCatalogComplete } from './catch-up-catalog.ts';

/** Companies are visited this often, because another process may have stopped in the middle of one. */
const visitEveryMs = 60_000;
/** Between parts, so that requests come first. */
const pauseMs = 50;

type BackfillDeps = Pick<Deps, 'db' | 'log' | 'catalogCounters'>;

/** Completes the catalogs of all companies in the background, until the signal. */
export const runCatalogBackfill = (deps: BackfillDeps, stopping: AbortSignal): Promise<void> =>
  runPeriodically(
    {
      run: () => backfillCatalogs(deps, stopping),
      pauseMs: visitEveryMs,
      initialPauseMs: Math.random() * 5_000,
      onError: (error) =>
        deps.log.warn({ err: error }, 'the backfill of the catalog failed; a retry follows'),
    },
    stopping,
  );

const backfillCatalogs = async (
  { db, catalogCounters }: BackfillDeps,
  stopping: AbortSignal,
): Promise<void> => {
  const companies = await runGlobal(db, listCompanies);
  const incomplete = [];
  for (const companyId of companies) {
    if (!stopping.aborted && !(await isCatalogComplete(db, companyId))) {
      incomplete.push(companyId);
    }
  }
  catalogCounters.incompleteCompanies = incomplete.length;
  const onPart = async (notes: number): Promise<void> => {
    catalogCounters.backfilledNotes += notes;
    await sleep(pauseMs, undefined, { ref: false });
  };
  for (const companyId of incomplete) {
    if (await catchUpCatalog(db, companyId, { stopping, onPart })) {
      catalogCounters.incompleteCompanies -= 1;
    }
  }
};
