import type { CompanyTx } from '@commonplace/db';
import type { InviteRow } from './invite-row.ts';

/** Stores an invite; of its token only the SHA-256. */
export const insertInvite = async (
  tx: CompanyTx,
  invite: InviteRow,
  tokenDigest: Buffer,
): Promise<void> => {
  const { id, email, role, createdAt, expiresAt } = invite;
  await tx.query(statement, [tx.companyId, id, email, role, tokenDigest, createdAt, expiresAt]);
};

const statement = `
  insert into agents.invites
    (company_id, id, email, role, token_digest, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)`;
