import { serverClock } from '../api/server-clock.ts';

const isOver = (at: string | null): boolean => at !== null && Date.parse(at) <= serverClock.nowMs();

type Credential = { readonly revokedAt: string | null; readonly expiresAt: string | null };

/** Whether an API key or a connection is `active`, and if not, why. */
export const credentialState = ({ revokedAt, expiresAt }: Credential): string => {
  if (isOver(revokedAt)) {
    return 'revoked';
  }
  return isOver(expiresAt) ? 'expired' : 'active';
};
