import type { KeyId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Makes a key findable by the HMAC of its value, hex (global table). */
export const insertKeyDigest = async (
  tx: ChangeTx,
  keyId: KeyId,
  digest: string,
): Promise<void> => {
  await tx.query(statement, [digest, tx.companyId, keyId]);
};

const statement = `
  insert into agents.key_digests (digest, company_id, key_id) values (decode($1, 'hex'), $2, $3)`;
