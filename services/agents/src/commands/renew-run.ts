import { AppError, type AgentId, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { renewRunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

export type RenewRunInput = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly tokenExpiresAt: Date;
};

/** Extends a run to the expiry of its new token. */
export const renewRun = async (
  scope: CompanyTx,
  { runId, agentId, tokenExpiresAt }: RenewRunInput,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
  if (!(await renewRunRow(tx, runId, { now: audit.at, tokenExpiresAt }))) {
    throw new AppError('run_finished');
  }
  await recordActivity(tx, audit, [
    { action: 'run.renewed', entity: ['run', runId], detail: { agentId, tokenExpiresAt } },
  ]);
};
