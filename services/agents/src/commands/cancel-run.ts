import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRunning, committedCents } from '../policy/runs.ts';
import { endRun, lockRun, type RunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { finalizeRuns } from './finalize-runs.ts';
import type { CallerAuditContext } from './audit.ts';

/** Cancels a run; a cancelled run stays unchanged. Its cost is the larger of what it reserved and reported. */
export const cancelRun = async (
  scope: CompanyTx,
  runId: RunId,
  audit: CallerAuditContext,
): Promise<RunRow> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  if (run.status === 'cancelled') {
    return run;
  }
  assertRunning(run, audit.at);
  const end = {
    status: 'cancelled',
    at: audit.at,
    costCents: committedCents(run),
    reason: null,
  } as const;
  const ended = await endRun(tx, runId, end);
  await finalizeRuns(tx, { runs: [ended], action: 'run.cancelled' }, audit);
  return ended;
};
