import type { InviteId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Makes an invite findable by its token (global table). */
export const insertInviteDigest = async (
  tx: ChangeTx,
  inviteId: InviteId,
  tokenDigest: Buffer,
): Promise<void> => {
  await tx.query(statement, [tokenDigest, tx.companyId, inviteId]);
};

const statement = `
  insert into agents.invite_digests (token_digest, company_id, invite_id) values ($1, $2, $3)`;
