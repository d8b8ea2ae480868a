import type { AgentId, KeyId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Revokes every living key of an agent, of which there are ten at most, and says which. */
export const revokeKeysOfAgent = async (
  tx: ChangeTx,
  agentId: AgentId,
  at: Date,
): Promise<KeyId[]> => {
  const rows = await tx.query<{ id: KeyId }>(statement, [tx.companyId, agentId, at]);
  return rows.map((row) => row.id);
};

const statement = `
  update agents.keys set revoked_at = $3
  where company_id = $1 and agent_id = $2 and revoked_at is null
    and (expires_at is null or expires_at > $3)
  returning id`;
