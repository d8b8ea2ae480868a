import { runPeriodically } from '@commonplace/concurrency';
import { isAppError } from '@commonplace/contracts/core';
import { purgeExpired } from './commands/purge-expired.ts';
import { resealFactors } from './commands/reseal-factors.ts';
import { transferLocalMemberships } from './commands/transfer-local-memberships.ts';
import type { Deps } from './deps.ts';

const purgeEveryMs = 15 * 60 * 1000;
const transferEveryMs = 10 * 1000;

type BackgroundDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'callAgents' | 'deploymentMode' | 'secretBox'
>;

/** Runs the periodic tasks of every replica until the process stops. */
export const runBackground = async (deps: BackgroundDeps, stopping: AbortSignal): Promise<void> => {
  const onError = (error: unknown) => logFailedTask(deps.log, error);
  const purge = () => purgeExpired(deps);
  // In local trusted mode the local operator keeps its memberships.
  const transfer = async () =>
    deps.deploymentMode === 'local_trusted' || transferLocalMemberships(deps);
  await Promise.all([
    runPeriodically({ run: purge, pauseMs: purgeEveryMs, onError }, stopping),
    runPeriodically({ run: () => resealFactors(deps), pauseMs: purgeEveryMs, onError }, stopping),
    runPeriodically({ run: transfer, pauseMs: transferEveryMs, onError }, stopping),
  ]);
};

/**
 * Agents may start after auth, and restarts: that is not a failure of this process, and each request that needs agents meanwhile
 * is logged as failed.
 */
const logFailedTask = (log: Pick<Deps['log'], 'info' | 'warn'>, error: unknown): void => {
  if (isAppError(error) && error.status === 503) {
    log.info(
      { reason: error.code },
      'a maintenance task waits for another service; a retry follows',
    );
  } else {
    log.warn({ err: error }, 'a maintenance task failed; a retry follows');
  }
};
