import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { checkOperatorCallerContract } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { CallerAccess } from '../queries/job-caller.ts';

/**
 * Reads what gives access to an operator whose session is active, for the job or undo that it orders: checked and read at
 * once, so that a session that was evicted orders nothing with the next epoch, and a former member nothing with a later
 * membership. Empty for agents, for the local operator, and from an agents service of a release that does not say.
 */
export type ReadCallerAccess = (
  caller: AgentCaller | OperatorCaller,
  companyId: CompanyId,
) => Promise<CallerAccess>;

/** Reads it at the agents service. 401 `session_expired` if the session has ended, 403 if the membership has. */
export const createCallerAccessReader =
  (callAgents: ServiceClient): ReadCallerAccess =>
  async (caller, companyId) => {
    if (caller.kind !== 'operator' || caller.isLocal) {
      return {};
    }
    const { operatorId, isLocal, sessionId } = caller;
    const named = { operatorId, isLocal, sessionId, companyId };
    const { operator } = await callAgents(checkOperatorCallerContract, named);
    if (!operator) {
      throw new AppError('session_expired');
    }
    const { accessEpoch, membership } = operator;
    if (!membership) {
      throw new AppError('cross_company');
    }
    const { since: memberSince } = membership;
    return {
      ...(accessEpoch === undefined ? {} : { accessEpoch }),
      ...(memberSince === undefined ? {} : { memberSince }),
    };
  };
