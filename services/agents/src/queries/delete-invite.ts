import type { InviteId } from '@commonplace/contracts/core';
import { inviteColumns, type InviteRow } from './invite-row.ts';
import type { ChangeTx } from './tx.ts';

export type DeletedInvite = InviteRow & { readonly tokenDigest: Buffer };

/** Removes an invite that nobody has accepted, and gives it back; of two requests at once only one gets it. */
export const deleteInvite = async (
  tx: ChangeTx,
  inviteId: InviteId,
): Promise<DeletedInvite | null> => {
  const [row] = await tx.query<DeletedInvite>(statement, [tx.companyId, inviteId]);
  return row ?? null;
};

const statement = `
  delete from agents.invites
  where company_id = $1 and id = $2 and accepted_by is null
  returning ${inviteColumns}, token_digest as "tokenDigest"`;
