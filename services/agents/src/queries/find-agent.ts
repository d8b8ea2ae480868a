import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { fullAgents, type FullAgentRow } from './agent-row.ts';

/** Reads an agent with its chain of command and its bookings of a month. */
export const findAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  month: string,
): Promise<FullAgentRow | null> => {
  const [row] = await tx.query<FullAgentRow>(
    statement,
    [tx.companyId, month, agentId],
    'agents.find-agent',
  );
  return row ?? null;
};

const statement = fullAgents('where a.company_id = $1 and a.id = $3');
