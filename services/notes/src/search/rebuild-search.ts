import { pause } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listSearchesToRebuild } from '../queries/search-index.ts';
import { rebuildPart } from './index-pending-notes.ts';

type RebuildDeps = Pick<Deps, 'db' | 'search' | 'log'>;

const rebuildEveryMs = 60_000;

/**
 * Makes the documents of earlier releases anew, company by company, until the signal. Two processes may work on one
 * company: the part that is stored second is dropped.
 */
export const rebuildSearches = async (deps: RebuildDeps, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    try {
      await rebuildAll(deps, stopping);
    } catch (error) {
      deps.log.warn({ err: error }, 'rebuilding a search index failed; a retry follows');
    }
    await pause(rebuildEveryMs, stopping);
  }
};

const rebuildAll = async (deps: RebuildDeps, stopping: AbortSignal): Promise<void> => {
  const companies = await runGlobal(deps.db, listSearchesToRebuild);
  for (const { companyId, pending } of companies) {
    deps.log.info({ companyId, changes: pending }, 'rebuilding the search index of a company');
    await rebuildCompany(deps, companyId, stopping);
  }
};

const rebuildCompany = async (
  { db, search }: RebuildDeps,
  companyId: CompanyId,
  stopping: AbortSignal,
): Promise<void> => {
  let hasMore = true;
  while (hasMore && !stopping.aborted) {
    const startedAt = performance.now();
    hasMore = await rebuildPart({ db, buildDocuments: search.buildDocuments }, companyId);
    // Half of the time is left to others.
    await pause(performance.now() - startedAt, stopping);
  }
};
