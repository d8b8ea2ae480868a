import type { Deps } from './deps.ts';
import { pollHeads } from './feed/poll-heads.ts';
import { runMaintenance } from './maintenance/maintenance.ts';
import type { Retention } from './maintenance/purge.ts';
import { runWorkers } from './jobs/run-workers.ts';

/** What every process does beside answering requests; resolves when it has stopped, after the signal. */
export const runBackground = async (
  deps: Deps,
  retention: Retention,
  stopping: AbortSignal,
): Promise<void> => {
  await Promise.all([
    runWorkers(deps, stopping),
    pollHeads(deps, stopping),
    runMaintenance(deps, retention, stopping),
  ]);
};
