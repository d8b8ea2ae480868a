import type { Identity } from '@commonplace/contracts/auth';
import type { IdentityRow } from '../queries/identities.ts';

/** An identity as its operator sees it. */
export const presentIdentity = (row: IdentityRow): Identity => ({
  id: row.id,
  issuer: row.issuer,
  subject: row.subject,
  email: row.email,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});
