import { AppError } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { logoutTokenRetentionSeconds, type LogoutToken } from '../oidc/verify-logout-token.ts';
import { deleteProviderSessions } from '../queries/identities.ts';
import { recordProviderLogout } from '../queries/provider-logouts.ts';
import { insertUsedToken } from '../queries/used-tokens.ts';

/**
 * Ends the sessions that a verified logout token names, and sign-ins that have begun and would start
 * such a session; returns how many sessions ended. A token that was used on any replica is 400
 * `invalid_logout_token`.
 */
export const endProviderSessions = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { issuer, jti, subject, sid }: LogoutToken,
): Promise<number> =>
  write(db, 'global', async (tx) => {
    const now = clock();
    const expiresAt = new Date(now.getTime() + logoutTokenRetentionSeconds * 1000);
    if (!(await insertUsedToken(tx, { parts: ['logout token', issuer, jti], expiresAt }))) {
      throw new AppError('invalid_logout_token', 'The logout token was used before.');
    }
    await recordProviderLogout(tx, { issuer, subject, sid, now });
    return deleteProviderSessions(tx, { issuer, subject, sid });
  });
