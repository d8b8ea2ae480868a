import { AppError, type AgentStatus } from '@commonplace/contracts/core';

/** Terminated is final: nothing of the agent changes any more (409). */
export const assertNotTerminated = (status: AgentStatus): void => {
  if (status === 'terminated') {
    throw new AppError('agent_terminated');
  }
};

/** Only an active agent works (409). */
export const assertAgentActive = (status: AgentStatus): void => {
  assertNotTerminated(status);
  if (status === 'paused') {
    throw new AppError('agent_paused');
  }
};
