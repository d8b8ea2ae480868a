import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { agentColumns, type AgentRow } from './agent-row.ts';
import type { LockStrength } from './lock-company.ts';

/** Reads and locks an agent; see `lockCompany` for strengths and order. */
export const lockAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  strength: LockStrength,
): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(`${statement} for ${strength}`, [tx.companyId, agentId]);
  return row ?? null;
};

const statement = `
  select ${agentColumns} from agents.agents a where a.company_id = $1 and a.id = $2`;
