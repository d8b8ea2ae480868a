import {
  AppError,
  findGrantBeyond,
  listScopes,
  localOperatorId,
  roleAllows,
  type AgentId,
  type HeldGrants,
  type RunId,
  type Scope,
} from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { isFormerEpoch, sourceOf } from '../policy/run-source.ts';
import { grantsOf, renewScopes } from '../policy/rights.ts';
import { isActiveKey } from '../policy/state.ts';
import { hasRenewalSince } from '../queries/activity.ts';
import { findKey, lockKey } from '../queries/keys.ts';
import { lockMember } from '../queries/members.ts';
import { findRun, lockRun, renewRunRow, type RunRow, type RunSource } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

export type RenewRunInput = {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly tokenExpiresAt: Date;
  /** Of the operator who renews it; null for agents. */
  readonly accessEpoch: number | null;
  /** The scopes to narrow the run to. */
  readonly requestedScopes: readonly Scope[] | undefined;
};

/**
 * Of renewals of a run with the same credential, one in this time is in the audit log, and every one that narrows the
 * run: entries are kept for ever, and a run may be renewed as often as its rate limit allows.
 */
const recordedEveryMs = 5 * 60_000;

/**
 * Extends a run to the expiry of its new token, and narrows it to the requested scopes. A key or an operator that
 * renews a run is responsible for it from then on; the run's own token renews it only while its source may.
 */
export const renewRun = async (
  scope: CompanyTx,
  { runId, agentId, tokenExpiresAt, accessEpoch, requestedScopes }: RenewRunInput,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const run = await lockRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  const { caller } = audit.request;
  const scopes = renewScopes({ caller, held: run.scopes, requested: requestedScopes });
  await assertGrantsOfRun(tx, run, caller);
  const source = sourceOf(caller, accessEpoch) ?? (await lockSource(tx, run, audit.at));
  if (
    source.sourceOperatorId === run.sourceOperatorId &&
    isFormerEpoch(run.sourceEpoch, source.sourceEpoch ?? undefined)
  ) {
    throw new AppError('run_finished');
  }
  if (!(await renewRunRow(tx, runId, { now: audit.at, tokenExpiresAt, scopes, ...source }))) {
    throw new AppError('run_finished');
  }
  const isNarrowed = listScopes(scopes).length < listScopes(run.scopes).length;
  const since = new Date(audit.at.getTime() - recordedEveryMs);
  if (!isNarrowed && (await hasRenewalSince(tx, { runId, actor: audit.actor, since }))) {
    return;
  }
  await recordActivity(tx, audit, [
    {
      action: 'run.renewed',
      entity: ['run', runId],
      detail: { agentId, tokenExpiresAt, scopes: listScopes(scopes) },
    },
  ]);
};

/**
 * The new token reaches what the run does; the credential that renews it must reach that too. Both without the bounds of
 * their agent: those may be lifted while the token is valid.
 */
const assertGrantsOfRun = async (
  tx: CompanyTx,
  { agentId, grants }: RunRow,
  caller: AgentCaller | OperatorCaller,
): Promise<void> => {
  const held = grantsOf(caller);
  // Which folder it is, the credential may not know.
  if (held !== null && findGrantBeyond(await readOwnGrants(tx, agentId, caller), grants)) {
    throw new AppError('folder_not_granted', 'The run reaches further than this credential.');
  }
};

/** The grants of the key or the run of a caller; of one that is gone, what the caller reached. */
const readOwnGrants = async (
  tx: CompanyTx,
  agentId: AgentId,
  caller: AgentCaller | OperatorCaller,
): Promise<HeldGrants> => {
  const { keyId, runId } = caller.kind === 'agent' ? caller : { keyId: null, runId: null };
  const own =
    (keyId && (await findKey(tx, agentId, keyId))) ?? (runId && (await findRun(tx, runId)));
  return own ? own.grants : grantsOf(caller);
};

/**
 * Returns the source of a run, which cannot end until the transaction does. Throws if it may no longer renew its
 * runs: 409 for a key that has expired or was rotated, 401 for what ends its runs. Lock the company and the agent
 * first.
 */
const lockSource = async (tx: CompanyTx, run: RunRow, now: Date): Promise<RunSource> => {
  const { agentId, sourceKeyId, sourceOperatorId, sourceEpoch } = run;
  const key = sourceKeyId && (await lockKey(tx, agentId, sourceKeyId));
  if (key && !isActiveKey(key, now)) {
    throw new AppError(
      'key_not_live',
      'The key of this run has expired or was replaced. Renew the run with an active key.',
    );
  }
  if (sourceOperatorId !== null && sourceOperatorId !== localOperatorId) {
    const member = await lockMember(tx, sourceOperatorId);
    if (!member || !roleAllows(member.role, 'operator')) {
      throw new AppError('invalid_token');
    }
  }
  return { sourceKeyId, sourceOperatorId, sourceEpoch };
};
