import { runPeriodically } from '@commonplace/concurrency';
import { write } from '@commonplace/db';
import { countEndedRuns } from './commands/count-ended-runs.ts';
import { deleteOldUsageReports } from './commands/delete-old-usage-reports.ts';
import { endConnectionsOfOperators } from './commands/end-connections-of-operators.ts';
import { endRunsOfOperators } from './commands/end-runs-of-operators.ts';
import { expireRuns } from './commands/expire-runs.ts';
import { finishCancellations } from './commands/finish-cancellations.ts';
import type { Deps } from './deps.ts';
import { deleteExpiredTokens } from './queries/connection-tokens.ts';

const pauseMs = 1_000;

/** Expired access tokens of connections that a round deletes at most. */
const expiredTokensMax = 1_000;

/** Between two rounds over the operators with running runs or connections, each of which is looked up in the auth service. */
const operatorsPauseMs = 5_000;

const reportsPauseMs = 60_000;

/** Runs the periodic tasks of every replica until the process stops. */
export const runBackground = async (
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'keyUsage' | 'connectionUsage' | 'checkOperator'>,
  stopping: AbortSignal,
): Promise<void> => {
  const { db, clock, log, keyUsage, connectionUsage } = deps;
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'background work failed; a retry follows');
  const tasks = [
    () => expireRuns(db, clock()),
    () => finishCancellations(db),
    () => countEndedRuns(db),
    keyUsage.flush,
    connectionUsage.flush,
    () => write(db, 'global', (tx) => deleteExpiredTokens(tx, clock(), expiredTokensMax)),
  ];
  const repeat = (run: () => Promise<unknown>, everyMs: number) =>
    runPeriodically({ run, pauseMs: everyMs, initialPauseMs: everyMs, onError }, stopping);
  await Promise.all([
    ...tasks.map((run) => repeat(run, pauseMs)),
    repeat(() => endRunsOfOperators(deps), operatorsPauseMs),
    repeat(() => deleteOldUsageReports(db, clock()), reportsPauseMs),
    repeat(() => endConnectionsOfOperators(deps), operatorsPauseMs),
  ]);
};
