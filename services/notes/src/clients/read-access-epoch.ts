import { AppError } from '@commonplace/contracts/core';
import { checkOperatorCallerContract } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/**
 * Reads the access epoch of an operator whose session is active, for the job or undo that it orders: checked and read at
 * once, so that a session that was evicted orders nothing with the next epoch. Null for agents, for the local operator, and
 * from an agents service of a release that does not say.
 */
export type ReadAccessEpoch = (caller: AgentCaller | OperatorCaller) => Promise<number | null>;

/** Reads access epochs at the agents service. Throws 401 `session_expired` if the session has ended. */
export const createAccessEpochReader =
  (callAgents: ServiceClient): ReadAccessEpoch =>
  async (caller) => {
    if (caller.kind !== 'operator' || caller.isLocal) {
      return null;
    }
    const { operatorId, isLocal, sessionId } = caller;
    const named = { operatorId, isLocal, sessionId, companyId: null };
    const { operator } = await callAgents(checkOperatorCallerContract, named);
    if (!operator) {
      throw new AppError('session_expired');
    }
    return operator.accessEpoch ?? null;
  };
