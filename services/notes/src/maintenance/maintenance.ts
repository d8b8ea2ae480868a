import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { purge, pruneRevisions, type Retention } from './purge.ts';

const everyMs = 5 * 60_000;
/** Pruning reads every old version, also those it must keep. */
const pruneEveryMs = 60 * 60_000;

type MaintenanceDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Removes what is too old, from time to time, until the signal. Every process may do so at once. */
export const runMaintenance = async (
  deps: MaintenanceDeps,
  retention: Retention,
  stopping: AbortSignal,
): Promise<void> => {
  await Promise.all([
    runPeriodically(
      { name: 'purge', everyMs, run: () => purge(deps, retention, stopping) },
      deps,
      stopping,
    ),
    runPeriodically(
      {
        name: 'prune',
        everyMs: pruneEveryMs,
        run: () => pruneRevisions(deps, retention, stopping),
      },
      deps,
      stopping,
    ),
  ]);
};

type MaintenanceTask = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
};

/** Starts somewhere within the first pause, so that processes started together do not meet. */
const runPeriodically = async (
  { name, everyMs, run }: MaintenanceTask,
  { log }: MaintenanceDeps,
  stopping: AbortSignal,
): Promise<void> => {
  await pause(Math.random() * everyMs, stopping);
  while (!stopping.aborted) {
    await run().catch((error: unknown) => {
      log.warn({ err: error, chore: name }, 'housekeeping failed and is tried again later');
    });
    await pause(everyMs, stopping);
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
