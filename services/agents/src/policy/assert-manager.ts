import { AppError, type AgentId, type AgentStatus } from '@commonplace/contracts/core';
import { chainOfCommandMax } from '@commonplace/contracts/agents';

export type ManagerCandidate = {
  /** The agent that reports; null while it is being created. */
  readonly agentId: AgentId | null;
  /** Null when no agent of the company has this id. */
  readonly managerStatus: AgentStatus | null;
  /** The manager and all its managers. */
  readonly managers: readonly AgentId[];
  /** Levels of reports below the agent. */
  readonly levelsBelow: number;
};

/**
 * Throws 422 unless the manager is an agent of the company that is not terminated, creates no
 * cycle, and keeps the chain within 32 levels.
 */
export const assertManager = (candidate: ManagerCandidate): void => {
  const { agentId, managerStatus, managers, levelsBelow } = candidate;
  if (managerStatus === null) {
    throw new AppError('manager_not_in_company');
  }
  if (agentId !== null && managers.includes(agentId)) {
    throw new AppError('manager_cycle');
  }
  if (managerStatus === 'terminated') {
    throw new AppError('manager_terminated');
  }
  if (managers.length + levelsBelow > chainOfCommandMax) {
    throw new AppError('chain_too_deep');
  }
};
