import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRunning } from '../policy/run-lifetime.ts';
import { endRun } from '../queries/end-run.ts';
import { lockRun } from '../queries/lock-run.ts';
import type { RunRow } from '../queries/run-row.ts';
import { openCompany } from './open-company.ts';
import { settleRuns } from './settle-runs.ts';
import type { CallerDoing } from './actor-of.ts';

/** Cancels one run; one that is cancelled already stays as it is. */
export const cancelRun = async (
  scope: CompanyTx,
  runId: RunId,
  doing: CallerDoing,
): Promise<RunRow> => {
  const { tx } = await openCompany(scope, doing);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  if (run.status === 'cancelled') {
    return run;
  }
  assertRunning(run, doing.at);
  const end = { status: 'cancelled', at: doing.at, costCents: run.reservedCents } as const;
  const ended = await endRun(tx, runId, end);
  await settleRuns(tx, { runs: [ended], action: 'run.cancelled' }, doing);
  return ended;
};
