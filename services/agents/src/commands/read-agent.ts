import { AppError, type AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { budgetMonth } from '../policy/budget-month.ts';
import type { FullAgentRow } from '../queries/agent-row.ts';
import { findAgent } from '../queries/find-agent.ts';

/** Reads an agent with its chain of command and the budget of the current month, or 404. */
export const readAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  now: Date,
): Promise<FullAgentRow> => {
  const agent = await findAgent(tx, agentId, budgetMonth(now));
  if (!agent) {
    throw new AppError('not_found');
  }
  return agent;
};
