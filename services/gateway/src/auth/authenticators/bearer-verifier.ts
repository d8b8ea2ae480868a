import { AppError } from '@commonplace/contracts';
import type { VerificationCache } from '../verification/cache.ts';
import type { PresentedCredentials, Authentication } from './authenticator.ts';
import type { Bearer } from './bearer.ts';

export type BearerVerifierOptions = {
  readonly cache: VerificationCache<Authentication>;
  /** Checks a bearer without a lookup. Forgeries fail here, before they count against any limit. */
  readonly isWellFormed: (text: string) => boolean;
  /** Returns the owner of a bearer; null when it is unknown. */
  readonly lookup: (text: string) => Promise<Authentication | null>;
};

/** Creates the function that verifies a bearer, from the cache or by a lookup; 401 for an invalid one. */
export const createBearerVerifier =
  ({ cache, isWellFormed, lookup }: BearerVerifierOptions) =>
  async (
    { text, digest: key }: Bearer,
    { address, maxAgeMs }: PresentedCredentials,
  ): Promise<Authentication> => {
    const isPlausible = cache.isKnown(key) || isWellFormed(text);
    const found = isPlausible
      ? await cache.find({ key, address, maxAgeMs, send: () => lookup(text) })
      : null;
    if (!found) {
      throw new AppError('invalid_token');
    }
    return found;
  };
