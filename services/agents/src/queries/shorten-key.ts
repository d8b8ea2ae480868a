import type { KeyId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Lets a key end at a moment, unless it ends before. */
export const shortenKey = async (tx: ChangeTx, keyId: KeyId, expiresAt: Date): Promise<void> => {
  await tx.query(statement, [tx.companyId, keyId, expiresAt]);
};

const statement = `
  update agents.keys set expires_at = least(expires_at, $3::timestamptz)
  where company_id = $1 and id = $2`;
