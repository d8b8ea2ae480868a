import type { CompanyId, InviteId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

export type InvitePlace = { readonly companyId: CompanyId; readonly inviteId: InviteId };

/** Says where the invite with this token is (global table). */
export const findInvitePlace = async (
  tx: AnyTx,
  tokenDigest: Buffer,
): Promise<InvitePlace | null> => {
  const [row] = await tx.query<InvitePlace>(statement, [tokenDigest]);
  return row ?? null;
};

const statement = `
  select company_id as "companyId", invite_id as "inviteId"
  from agents.invite_digests
  where token_digest = $1`;
