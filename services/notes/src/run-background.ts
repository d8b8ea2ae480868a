import type { Deps } from './deps.ts';
import { pollHeads } from './feed/poll-heads.ts';
import {
  backfillCatalogs,
  makeSearchStatistics,
  rebuildSearches,
} from './maintenance/backfills.ts';
import { runEmbedding } from './search/embeddings/run-embedding.ts';
import { runMaintenance } from './maintenance/maintenance.ts';
import type { Retention } from './maintenance/purge.ts';
import { runWorkers } from './jobs/run-workers.ts';

/**
 * Runs workers, polling, maintenance and what upgrades leave to the background until the signal is aborted; resolves
 * when all have stopped.
 */
export const runBackground = async (
  deps: Deps,
  retention: Retention,
  stopping: AbortSignal,
): Promise<void> => {
  await Promise.all([
    runWorkers(deps, stopping),
    pollHeads(deps, stopping),
    runMaintenance(deps, retention, stopping),
    rebuildSearches(deps, stopping),
    backfillCatalogs(deps, stopping),
    makeSearchStatistics(deps, stopping),
    runEmbedding(deps, stopping),
  ]);
};
