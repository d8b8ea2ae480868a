import type { AgentId, AgentStatus, CompanyStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

export type AgentState = {
  readonly agentStatus: AgentStatus;
  readonly companyStatus: CompanyStatus;
};

/** Reads the states of an agent and its company. */
export const findAgentState = async (
  tx: CompanyTx,
  agentId: AgentId,
): Promise<AgentState | null> => {
  const [row] = await tx.query<AgentState>(statement, [tx.companyId, agentId]);
  return row ?? null;
};

const statement = `
  select a.status as "agentStatus", c.status as "companyStatus"
  from agents.agents a
  join agents.companies c on c.company_id = $1
  where a.company_id = $1 and a.id = $2`;
