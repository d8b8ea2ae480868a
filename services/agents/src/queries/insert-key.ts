import { keyColumns, type KeyRow } from './key-row.ts';
import type { ChangeTx } from './tx.ts';

export type NewKey = Omit<KeyRow, 'companyId' | 'lastUsedAt' | 'revokedAt'>;

/** Stores what may be known of a new key. */
export const insertKey = async (tx: ChangeTx, key: NewKey): Promise<KeyRow> => {
  const { id, agentId, name, prefix, createdBy, createdAt, expiresAt } = key;
  const values = [tx.companyId, id, agentId, name, prefix, createdBy, createdAt, expiresAt];
  const [row] = await tx.query<KeyRow>(statement, values);
  return row as KeyRow;
};

const statement = `
  insert into agents.keys (
    company_id, id, agent_id, name, prefix, created_by, created_at, expires_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning ${keyColumns}`;
