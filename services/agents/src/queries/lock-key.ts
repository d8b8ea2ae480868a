import type { AgentId, KeyId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { keyColumns, type KeyRow } from './key-row.ts';

/** Reads a key of an agent, which nobody revokes until the transaction ends. Lock the agent first. */
export const lockKey = async (
  tx: CompanyTx,
  agentId: AgentId,
  keyId: KeyId,
): Promise<KeyRow | null> => {
  const [row] = await tx.query<KeyRow>(statement, [tx.companyId, agentId, keyId]);
  return row ?? null;
};

const statement = `
  select ${keyColumns} from agents.keys
  where company_id = $1 and agent_id = $2 and id = $3
  for share`;
