import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRunning } from '../policy/run-lifetime.ts';
import { endRun } from '../queries/end-run.ts';
import { lockRun } from '../queries/lock-run.ts';
import type { RunRow } from '../queries/run-row.ts';
import { openCompany } from './open-company.ts';
import { settleRuns } from './settle-runs.ts';
import type { CallerDoing } from './actor-of.ts';

export type Outcome = {
  readonly runId: RunId;
  readonly status: 'succeeded' | 'failed';
  /** Absent: what was reserved. */
  readonly costCents: number | undefined;
};

/** Ends a run with its outcome. The same outcome again is the answer of the first time. */
export const finishRun = async (
  scope: CompanyTx,
  { runId, status, costCents }: Outcome,
  doing: CallerDoing,
): Promise<RunRow> => {
  const { tx } = await openCompany(scope, doing);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  const isSameCost = costCents === undefined || costCents === run.costCents;
  if (run.status === status && isSameCost) {
    return run;
  }
  assertRunning(run, doing.at);
  const end = { status, at: doing.at, costCents: costCents ?? run.reservedCents };
  const ended = await endRun(tx, runId, end);
  await settleRuns(tx, { runs: [ended], action: 'run.finished' }, doing);
  return ended;
};
