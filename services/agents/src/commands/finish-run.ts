import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRunning, budgetMonth, committedCents } from '../policy/runs.ts';
import { findAgentRow } from '../queries/agents.ts';
import { endRun, lockRun, type RunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { finalizeRuns } from './finalize-runs.ts';
import { warnOfBudgets } from './warn-of-budgets.ts';
import type { CallerAuditContext } from './audit.ts';

export type RunOutcome = {
  readonly runId: RunId;
  readonly status: 'succeeded' | 'failed';
  /** The total; defaults to what the run reported, or to the reservation if it reported nothing. */
  readonly costCents: number | undefined;
  readonly reason: string | undefined;
};

/** Ends a run with an outcome. Repeating the same outcome returns the run unchanged. */
export const finishRun = async (
  scope: CompanyTx,
  { runId, status, costCents, reason }: RunOutcome,
  audit: CallerAuditContext,
): Promise<RunRow> => {
  const { tx, company } = await lockActiveCompany(scope, audit);
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
    costCents: costCents ?? run.reportedCents ?? run.reservedCents,
    reason: reason ?? null,
  };
  const ended = await endRun(tx, runId, end);
  await finalizeRuns(tx, { runs: [ended], action: 'run.finished' }, audit);
  if (ended.costCents > committedCents(run)) {
    const agent = await findAgentRow(tx, run.agentId);
    await warnOfBudgets(tx, audit, { agent, company, month: budgetMonth(audit.at) });
  }
  return ended;
};
