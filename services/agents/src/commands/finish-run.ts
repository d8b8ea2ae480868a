import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRunning } from '../policy/runs.ts';
import { endRun, lockRun, type RunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { finalizeRuns } from './finalize-runs.ts';
import type { CallerAuditContext } from './audit.ts';

export type RunOutcome = {
  readonly runId: RunId;
  readonly status: 'succeeded' | 'failed';
  /** Defaults to the reservation. */
  readonly costCents: number | undefined;
  readonly reason: string | undefined;
};

/** Ends a run with an outcome. Repeating the same outcome returns the run unchanged. */
export const finishRun = async (
  scope: CompanyTx,
  { runId, status, costCents, reason }: RunOutcome,
  audit: CallerAuditContext,
): Promise<RunRow> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  const isSameCost = costCents === undefined || costCents === run.costCents;
  if (run.status === status && isSameCost) {
    return run;
  }
  assertRunning(run, audit.at);
  const end = {
    status,
    at: audit.at,
    costCents: costCents ?? run.reservedCents,
    reason: reason ?? null,
  };
  const ended = await endRun(tx, runId, end);
  await finalizeRuns(tx, { runs: [ended], action: 'run.finished' }, audit);
  return ended;
};
