import type { GlobalTx } from '@commonplace/db';
import type { ProviderSession } from './identities.ts';
import { tokenDigest } from './used-tokens.ts';

/**
 * A logout is remembered in `auth.used_tokens` for longer than a sign-in takes. The row says when it
 * was: this long before it expires.
 */
const retentionMs = 30 * 60 * 1000;

type Session = ProviderSession & { readonly subject: string };

/**
 * The logouts that end a session: of its subject as a whole, and of itself; without a `sid`, every
 * logout of its subject.
 */
const digestsOfSession = ({ issuer, subject, sid }: Session): string[] =>
  [
    ['logout of subject', issuer, subject],
    sid === null
      ? ['logout of session', issuer, subject, '']
      : ['logout of session', issuer, '', sid],
  ].map(tokenDigest);

/** What a logout token names, as `deleteProviderSessions` reads it. */
const digestsOfLogout = ({ issuer, subject, sid }: ProviderSession): string[] => {
  if (sid === null) {
    return [tokenDigest(['logout of subject', issuer, subject ?? ''])];
  }
  const ofSession = tokenDigest(['logout of session', issuer, '', sid]);
  return subject === null
    ? [ofSession]
    : [ofSession, tokenDigest(['logout of session', issuer, subject, ''])];
};

/** Records that a provider has ended sessions. Waits for sign-ins that `lockProviderLogouts` holds. */
export const recordProviderLogout = async (
  tx: GlobalTx,
  { now, ...named }: ProviderSession & { readonly now: Date },
): Promise<void> => {
  await tx.query(
    `insert into auth.used_tokens as t (digest, expires_at)
     select digest, $2 from unnest($1::text[]) as digest order by digest
     on conflict (digest) do update set expires_at = greatest(t.expires_at, $2)`,
    [digestsOfLogout(named), new Date(now.getTime() + retentionMs)],
  );
};

/**
 * Returns when a provider last ended a session, null if it did not lately. Until the transaction ends
 * no logout of the session is recorded, so either this one sees it, or it sees the session.
 */
export const lockProviderLogouts = async (
  tx: GlobalTx,
  { now, ...session }: Session & { readonly now: Date },
): Promise<Date | null> => {
  const rows = await tx.query<{ expires_at: Date }>(
    `insert into auth.used_tokens as t (digest, expires_at)
     select digest, $2 from unnest($1::text[]) as digest order by digest
     on conflict (digest) do update set expires_at = t.expires_at
     returning t.expires_at`,
    [digestsOfSession(session), now],
  );
  const lastMs = Math.max(...rows.map((row) => row.expires_at.getTime()));
  return lastMs > now.getTime() ? new Date(lastMs - retentionMs) : null;
};
