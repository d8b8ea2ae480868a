import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** Whether runs of an agent, or (null) of the company as a whole, are still to be cancelled. */
export const hasRunCancellation = async (
  tx: CompanyTx,
  agentId: AgentId | null,
): Promise<boolean> => (await tx.query(statement, [tx.companyId, agentId])).length > 0;

const statement = `
  select 1
  from agents.run_cancellations
  where company_id = $1 and agent_id is not distinct from $2::uuid
  limit 1`;
