import type { OperatorId } from '@commonplace/contracts/core';
import type { DeletedInvite } from './delete-invite.ts';
import { inviteColumns } from './invite-row.ts';
import type { ChangeTx } from './tx.ts';

/** Removes the invites that somebody made and nobody has accepted, and gives them back. */
export const deleteInvitesBy = (tx: ChangeTx, invitedBy: OperatorId): Promise<DeletedInvite[]> =>
  tx.query<DeletedInvite>(statement, [tx.companyId, invitedBy]);

const statement = `
  delete from agents.invites
  where company_id = $1 and invited_by = $2 and accepted_by is null
  returning ${inviteColumns}, token_digest as "tokenDigest"`;
