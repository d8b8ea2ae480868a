import { AppError, type Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRole } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { isActiveKey, assertCompanyActive } from '../policy/state.ts';
import { type CompanyWithLimits, lockCompany, type LockStrength } from '../queries/companies.ts';
import { lockAgent } from '../queries/agents.ts';
import { lockKey } from '../queries/keys.ts';
import { lockMember } from '../queries/members.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerAuditContext } from './audit.ts';

/** A transaction that may change its company, and what was read under its locks. */
export type Change = {
  readonly tx: ChangeTx;
  readonly company: CompanyWithLimits;
  /** The current role of the caller; null for agents. */
  readonly role: Role | null;
};

/**
 * Begins a change on behalf of a caller. Access was authorized when the request arrived, and
 * reading its body may take time. So the authority of the caller, an operator's role or an agent's
 * key, is read again under the lock of the company and cannot change until the commit. A concurrent
 * revocation either waits for this change, or has committed and this change is rejected (403, 401).
 *
 * Locks are taken in the order company, member or agent, key; removing a member locks the company
 * first. An agent that uses its key takes the strongest lock on itself that a command may need: two
 * transactions that hold a weaker lock could not both upgrade it.
 */
export const beginChange = async (
  scope: CompanyTx,
  audit: CallerAuditContext,
  strength: LockStrength,
): Promise<Change> => {
  const { caller } = audit.request;
  // One round trip: PostgreSQL runs the statements in order, so the role is read under the lock.
  const [company, role] = await Promise.all([
    lockCompany(scope, strength),
    caller.kind === 'operator' ? lockRole(scope, caller) : lockCredential(scope, caller, audit.at),
  ]);
  if (!company) {
    throw new AppError('not_found');
  }
  assertRole({ ...audit.request, company: { ...audit.request.company, role } });
  return { tx: scope as ChangeTx, company, role };
};

/**
 * Lets a transaction change its company without a caller; `reason` says what authorizes the change.
 */
export const trustChange = (scope: CompanyTx, _reason: string): ChangeTx => scope as ChangeTx;

/** The local board operator is an owner of every company, without a membership. */
const lockRole = async (
  scope: CompanyTx,
  { operatorId, isLocal }: OperatorCaller,
): Promise<Role> => {
  if (isLocal) {
    return 'owner';
  }
  const member = await lockMember(scope, operatorId);
  if (!member) {
    throw new AppError('cross_company');
  }
  return member.role;
};

/** Runs need no check here: a run token may only change its own run, which the commands lock. */
const lockCredential = async (
  scope: CompanyTx,
  { agentId, keyId }: AgentCaller,
  now: Date,
): Promise<null> => {
  const [agent, key] = await Promise.all([
    lockAgent(scope, agentId, keyId === null ? 'share' : 'no key update'),
    keyId && lockKey(scope, agentId, keyId),
  ]);
  const isKeyActive = keyId === null || (key !== null && isActiveKey(key, now));
  if (!agent || agent.status === 'terminated' || !isKeyActive) {
    throw new AppError('invalid_token');
  }
  return null;
};

/**
 * Begins a change of a company that must be active until the transaction ends. The company status
 * in the caller's identity may be a second old.
 */
export const lockActiveCompany = async (
  scope: CompanyTx,
  audit: CallerAuditContext,
  strength: LockStrength = 'share',
): Promise<Change> => {
  const change = await beginChange(scope, audit, strength);
  assertCompanyActive(change.company.status);
  return change;
};
