import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { agentColumns, type AgentRow } from './agent-row.ts';

/** Reads an agent as it is stored. */
export const findAgentRow = async (tx: CompanyTx, agentId: AgentId): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(statement, [tx.companyId, agentId]);
  return row ?? null;
};

const statement = `
  select ${agentColumns} from agents.agents a where a.company_id = $1 and a.id = $2`;
