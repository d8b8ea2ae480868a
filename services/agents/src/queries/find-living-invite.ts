import type { InviteId, OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { inviteColumns, isByOwner, type AuthoredInviteRow } from './invite-row.ts';

/** Null: nobody has accepted it yet. */
export type LivingInvite = AuthoredInviteRow & { readonly acceptedBy: OperatorId | null };

/**
 * Reads an invite that has not expired and whose maker is still an owner. An accepted one lives on as
 * long as its operator is a member.
 */
export const findLivingInvite = async (
  tx: CompanyTx,
  inviteId: InviteId,
  now: Date,
): Promise<LivingInvite | null> => {
  const [row] = await tx.query<LivingInvite>(statement, [tx.companyId, inviteId, now]);
  return row ?? null;
};

const statement = `
  select ${inviteColumns}, invited_by as "invitedBy", accepted_by as "acceptedBy"
  from agents.invites
  where company_id = $1 and id = $2 and expires_at > $3
    and case when accepted_by is null then ${isByOwner} else exists (
      select from agents.memberships m where m.company_id = $1 and m.operator_id = accepted_by
    ) end`;
