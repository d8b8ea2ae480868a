import {
  AppError,
  listScopes,
  type AgentId,
  type RunId,
  type Scope,
} from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { renewScopes } from '../policy/scopes.ts';
import { lockRun, renewRunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

export type RenewRunInput = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly tokenExpiresAt: Date;
  /** The scopes to narrow the run to. */
  readonly requestedScopes: readonly Scope[] | undefined;
};

/** Extends a run to the expiry of its new token, and narrows it to the requested scopes. */
export const renewRun = async (
  scope: CompanyTx,
  { runId, agentId, tokenExpiresAt, requestedScopes }: RenewRunInput,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  const { caller } = audit.request;
  const scopes = renewScopes({ caller, held: run.scopes, requested: requestedScopes });
  if (!(await renewRunRow(tx, runId, { now: audit.at, tokenExpiresAt, scopes }))) {
    throw new AppError('run_finished');
  }
  await recordActivity(tx, audit, [
    {
      action: 'run.renewed',
      entity: ['run', runId],
      detail: { agentId, tokenExpiresAt, scopes: listScopes(scopes) },
    },
  ]);
};
