import { runPeriodically } from '@commonplace/concurrency';
import type { Deps } from '../deps.ts';
import { endProposals } from './end-proposals.ts';
import { purge, pruneRevisions, type Retention } from './purge.ts';

const purgeEveryMs = 5 * 60_000;
/** Pruning reads every old version, including those it must keep. */
const pruneEveryMs = 60 * 60_000;

type MaintenanceDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Deletes expired rows periodically, in every process, until the signal. */
export const runMaintenance = async (
  deps: MaintenanceDeps,
  retention: Retention,
  stopping: AbortSignal,
): Promise<void> => {
  const onError = (error: unknown) =>
    deps.log.warn({ err: error }, 'a maintenance task failed; a retry follows');
  // A random initial pause, so that processes started together run at different times.
  const start = (run: () => Promise<void>, pauseMs: number) =>
    runPeriodically({ run, pauseMs, initialPauseMs: Math.random() * pauseMs, onError }, stopping);
  await Promise.all([
    start(() => purge(deps, retention, stopping), purgeEveryMs),
    start(() => endProposals(deps, stopping), purgeEveryMs),
    start(() => pruneRevisions(deps, retention, stopping), pruneEveryMs),
  ]);
};
