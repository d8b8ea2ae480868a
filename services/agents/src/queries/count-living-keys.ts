import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** How many keys of an agent work. Lock the agent first. */
export const countLivingKeys = async (
  tx: CompanyTx,
  agentId: AgentId,
  now: Date,
): Promise<number> => {
  const [row] = await tx.query<{ keys: number }>(statement, [tx.companyId, agentId, now]);
  return row?.keys ?? 0;
};

const statement = `
  select count(*)::integer as keys
  from agents.keys
  where company_id = $1 and agent_id = $2
    and revoked_at is null and (expires_at is null or expires_at > $3)`;
