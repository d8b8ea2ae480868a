import { AppError, type AgentId } from '@commonplace/contracts';

/** An agent touches its own runs only (403); `callerAgentId` is null for operators. */
export const assertOwnRun = (
  run: { readonly agentId: AgentId },
  callerAgentId: AgentId | null,
): void => {
  if (callerAgentId !== null && callerAgentId !== run.agentId) {
    throw new AppError('not_own_agent');
  }
};
