import { AppError, type AgentId, type AgentStatus } from '@commonplace/contracts/core';
import { chainOfCommandMax } from '@commonplace/contracts/agents';

export type ManagerCandidate = {
  /** The agent that is to report; null while it is being created. */
  readonly agentId: AgentId | null;
  /** Null: no agent of the company has this id. */
  readonly managerStatus: AgentStatus | null;
  /** The manager and everybody above it. */
  readonly managers: readonly AgentId[];
  /** Levels of reports below the agent. */
  readonly levelsBelow: number;
};

/** An agent reports to a living one of its company, in no circle, and in a chain of 32 at most (422). */
export const assertManager = (question: ManagerCandidate): void => {
  const { agentId, managerStatus, managers, levelsBelow } = question;
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
