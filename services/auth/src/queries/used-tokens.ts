import { createHash } from 'node:crypto';
import type { GlobalTx } from '@commonplace/db';

/** The name of a token in the table; of what it is made, nothing can be read there. */
export const tokenDigest = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Records that a token is used; false if it was used before, on whatever replica. */
export const insertUsedToken = async (
  tx: GlobalTx,
  { parts, expiresAt }: { readonly parts: readonly string[]; readonly expiresAt: Date },
): Promise<boolean> => {
  const rows = await tx.query(
    `insert into auth.used_tokens (digest, expires_at) values ($1, $2)
     on conflict (digest) do nothing
     returning 1`,
    [tokenDigest(parts), expiresAt],
  );
  return rows.length > 0;
};

/** Deletes the records of tokens that have expired. */
export const deleteExpiredTokens = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.used_tokens where expires_at <= $1', [now]);
};
