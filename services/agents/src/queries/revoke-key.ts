import type { KeyId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Revokes a key; false when it was revoked already, whose time stays. */
export const revokeKey = async (tx: ChangeTx, keyId: KeyId, at: Date): Promise<boolean> => {
  const rows = await tx.query(statement, [tx.companyId, keyId, at]);
  return rows.length === 1;
};

const statement = `
  update agents.keys set revoked_at = $3
  where company_id = $1 and id = $2 and revoked_at is null
  returning id`;
