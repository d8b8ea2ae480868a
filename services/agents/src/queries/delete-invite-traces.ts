import type { DeletedInvite } from './delete-invite.ts';
import type { ChangeTx } from './tx.ts';

/** Removes what the global tables say of removed invites. */
export const deleteInviteTraces = async (
  tx: ChangeTx,
  invites: readonly DeletedInvite[],
): Promise<void> => {
  await tx.query(statement, [
    invites.map((invite) => invite.tokenDigest),
    invites.map((invite) => invite.id),
  ]);
};

const statement = `
  with digests as (
    delete from agents.invite_digests where token_digest = any ($1::bytea[])
  )
  delete from agents.entity_owners where id = any ($2::uuid[]) and kind = 'invite'`;
