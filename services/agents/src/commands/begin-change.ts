import { AppError, type Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertRole } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { isLivingKey } from '../policy/is-living-key.ts';
import type { CompanyRow } from '../queries/company-row.ts';
import { lockAgent } from '../queries/lock-agent.ts';
import { lockCompany, type LockStrength } from '../queries/lock-company.ts';
import { lockKey } from '../queries/lock-key.ts';
import { lockMember } from '../queries/lock-member.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerDoing } from './actor-of.ts';

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
  doing: CallerDoing,
  strength: LockStrength,
): Promise<Change> => {
  const { caller } = doing.request;
  // Sent together: PostgreSQL runs them one after the other, and the role is read behind the lock.
  const [company, role] = await Promise.all([
    lockCompany(scope, strength),
    caller.kind === 'operator' ? lockRole(scope, caller) : lockCredential(scope, caller, doing.at),
  ]);
  if (!company) {
    throw new AppError('not_found');
  }
  assertRole({ ...doing.request, company: { ...doing.request.company, role } });
  return { tx: scope as ChangeTx, company, role };
};

/**
 * Lets a transaction change its company where no caller's authority could be read again; `because` says
 * what stands in for it.
 */
export const trustChange = (scope: CompanyTx, _because: string): ChangeTx => scope as ChangeTx;

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
  const isLiving = keyId === null || (key !== null && isLivingKey(key, now));
  if (!agent || agent.status === 'terminated' || !isLiving) {
    throw new AppError('invalid_token');
  }
  return null;
};
