import type { Invite } from '@commonplace/contracts/agents';
import type { InviteRow } from '../queries/invite-row.ts';

/** An invite as the API shows it; its token is shown by the creation alone. */
export const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
