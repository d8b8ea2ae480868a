import { AppError, type Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRole } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { isActiveKey, assertCompanyActive } from '../policy/state.ts';
import { type CompanyRow, lockCompany, type LockStrength } from '../queries/companies.ts';
import { lockAgent } from '../queries/agents.ts';
import { lockKey } from '../queries/keys.ts';
import { lockMember } from '../queries/members.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerAuditContext } from './audit.ts';

/** A transaction that may change its company, and what is known of it behind the locks. */
export type Change = {
  readonly tx: ChangeTx;
  readonly company: CompanyRow;
  /** The caller's role as it is now; null for agents. */
  readonly role: Role | null;
};

/**
 * Begins a change on behalf of a caller. Access was judged when the request arrived, and a body may
 * take its time after that; so the caller's authority is read again behind the lock of the company, and
 * kept until the commit: an operator's role, an agent's key. Whoever takes it away either waits for this
 * change, or has committed and this change is refused (403, 401).
 *
 * Locks are taken in the order company, member or agent, key: ending a membership locks the company first.
 * An agent with its key takes the strongest lock of itself that a command may want, because two that held a
 * weaker one could not both have a stronger.
 */
export const beginChange = async (
  scope: CompanyTx,
  audit: CallerAuditContext,
  strength: LockStrength,
): Promise<Change> => {
  const { caller } = audit.request;
  // Sent together: PostgreSQL runs them one after the other, and the role is read behind the lock.
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
 * Lets a transaction change its company where no caller's authority could be read again; `reason` says
 * what stands in for it.
 */
export const trustChange = (scope: CompanyTx, _reason: string): ChangeTx => scope as ChangeTx;

/** The local board operator is an owner everywhere, without a membership. */
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

/** A run needs no look of its own: the only changes its token allows are those of this run, which lock it. */
const lockCredential = async (
  scope: CompanyTx,
  { agentId, keyId }: AgentCaller,
  now: Date,
): Promise<null> => {
  const [agent, key] = await Promise.all([
    lockAgent(scope, agentId, keyId === null ? 'share' : 'no key update'),
    keyId && lockKey(scope, agentId, keyId),
  ]);
  const isLiving = keyId === null || (key !== null && isActiveKey(key, now));
  if (!agent || agent.status === 'terminated' || !isLiving) {
    throw new AppError('invalid_token');
  }
  return null;
};

/**
 * Begins a change of a company that must be active: it is, and stays so until the transaction ends.
 * What the caller's identity said of it may be a second old.
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
