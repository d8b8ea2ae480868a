import type { DeletedInvite } from './delete-invite.ts';
import { inviteColumns } from './invite-row.ts';
import type { ChangeTx } from './tx.ts';

/** Removes invites whose time is over, accepted or not, a hundred at most, and gives them back. */
export const deleteExpiredInvites = (tx: ChangeTx, now: Date): Promise<DeletedInvite[]> =>
  tx.query<DeletedInvite>(statement, [tx.companyId, now]);

const statement = `
  delete from agents.invites
  where company_id = $1 and id in (
    select id from agents.invites
    where company_id = $1 and expires_at <= $2
    order by created_at
    limit 100
    for update skip locked
  )
  returning ${inviteColumns}, token_digest as "tokenDigest"`;
