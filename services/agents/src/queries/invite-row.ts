import type { InviteId, Role } from '@commonplace/contracts/core';

export type InviteRow = {
  readonly id: InviteId;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** The columns of an invite as `InviteRow` names them. */
export const inviteColumns =
  'id, email, role, created_at as "createdAt", expires_at as "expiresAt"';
