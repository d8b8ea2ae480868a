import { AppError } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import { lockIdentity } from '../queries/identities.ts';
import { lockProviderLogouts } from '../queries/provider-logouts.ts';
import type { SignedIn } from './signed-in.ts';

/** Throws if the identity was unlinked, or the provider has ended its session since the sign-in began. */
export const lockProviderSession = async (
  tx: GlobalTx,
  { operatorId, provider }: Pick<SignedIn, 'operatorId' | 'provider'>,
  now: Date,
): Promise<void> => {
  if (!provider) {
    return;
  }
  const identity = await lockIdentity(tx, { id: provider.identityId, operatorId });
  if (!identity) {
    throw new AppError('invalid_credentials', 'The identity was unlinked; sign in again.');
  }
  const endedAt = await lockProviderLogouts(tx, { ...identity, sid: provider.sid, now });
  if (endedAt !== null && endedAt.getTime() >= provider.begunAtMs) {
    throw new AppError('oidc_refused', 'The identity provider ended the session; sign in again.');
  }
};
