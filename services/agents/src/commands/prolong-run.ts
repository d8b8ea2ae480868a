import { AppError, type AgentId, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { renewRun } from '../queries/renew-run.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

export type Renewal = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly tokenExpiresAt: Date;
};

/** Lets a run go on as long as its new token lives. */
export const prolongRun = async (
  scope: CompanyTx,
  { runId, agentId, tokenExpiresAt }: Renewal,
  doing: CallerDoing,
): Promise<void> => {
  const { tx } = await openCompany(scope, doing);
  if (!(await renewRun(tx, runId, { now: doing.at, tokenExpiresAt }))) {
    throw new AppError('run_finished');
  }
  await recordActivity(tx, doing, [
    { action: 'run.renewed', entity: ['run', runId], detail: { agentId, tokenExpiresAt } },
  ]);
};
