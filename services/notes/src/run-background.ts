import type { Deps } from './deps.ts';
import { pollHeads } from './feed/poll-heads.ts';
import { keepHouse } from './jobs/keep-house.ts';
import type { Retention } from './jobs/purge.ts';
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
    keepHouse(deps, retention, stopping),
  ]);
};
