import { runPeriodically } from '@commonplace/concurrency';
import { countEndedRuns } from './commands/count-ended-runs.ts';
import { expireRuns } from './commands/expire-runs.ts';
import { finishCancellations } from './commands/finish-cancellations.ts';
import type { Deps } from './deps.ts';

const pauseMs = 1_000;

/** Runs the periodic tasks of every replica until the process stops. */
export const runBackground = async (
  { db, clock, log, keyUsage }: Pick<Deps, 'db' | 'clock' | 'log' | 'keyUsage'>,
  stopping: AbortSignal,
): Promise<void> => {
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'background work failed; a retry follows');
  const tasks = [
    () => expireRuns(db, clock()),
    () => finishCancellations(db),
    () => countEndedRuns(db),
    keyUsage.flush,
  ];
  await Promise.all(
    tasks.map((run) =>
      runPeriodically({ run, pauseMs, initialPauseMs: pauseMs, onError }, stopping),
    ),
  );
};
