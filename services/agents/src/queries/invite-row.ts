import type { InviteId, OperatorId, Role } from '@commonplace/contracts/core';

export type InviteRow = {
  readonly id: InviteId;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** An invite together with who made it. */
export type AuthoredInviteRow = InviteRow & { readonly invitedBy: OperatorId };

/** The columns of an invite as `InviteRow` names them. */
export const inviteColumns =
  'id, email, role, created_at as "createdAt", expires_at as "expiresAt"';

/** True for invites whose maker is still an owner; `$1` is the company, `agents.invites` the table. */
export const isByOwner = `
  exists (
    select from agents.memberships inviter
    where inviter.company_id = $1 and inviter.operator_id = invites.invited_by
      and inviter.role = 'owner'
  )`;
