import type { AuthoredInviteRow } from './invite-row.ts';
import type { ChangeTx } from './tx.ts';

/** Stores an invite; of its token only the SHA-256. */
export const insertInvite = async (
  tx: ChangeTx,
  invite: AuthoredInviteRow,
  tokenDigest: Buffer,
): Promise<void> => {
  const { id, email, role, createdAt, expiresAt, invitedBy } = invite;
  const values = [id, email, role, tokenDigest, createdAt, expiresAt, invitedBy];
  await tx.query(statement, [tx.companyId, ...values]);
};

const statement = `
  insert into agents.invites
    (company_id, id, email, role, token_digest, created_at, expires_at, invited_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
