import { AppError } from '@commonplace/contracts';
import type { VerificationCache } from '../verification/cache.ts';
import type { PresentedCredentials, Authentication } from './authenticator.ts';
import type { Bearer } from './bearer.ts';

export type BearerVerifierOptions = {
  readonly cache: VerificationCache<Authentication>;
  /** What can be told of a bearer without a look-up. Forged ones end here: they draw on nobody's budget. */
  readonly isWellFormed: (text: string) => boolean;
  /** Asks whose it is; null: nobody's. */
  readonly lookup: (text: string) => Promise<Authentication | null>;
};

/** Makes the function that finds whose a bearer is, by what is remembered or by asking; 401 for nobody's. */
export const createBearerVerifier =
  ({ cache, isWellFormed, lookup }: BearerVerifierOptions) =>
  async (
    { text, digest: key }: Bearer,
    { address, maxAgeMs }: PresentedCredentials,
  ): Promise<Authentication> => {
    const isGood = cache.isKnown(key) || isWellFormed(text);
    const found = isGood
      ? await cache.find({ key, address, maxAgeMs, send: () => lookup(text) })
      : null;
    if (!found) {
      throw new AppError('invalid_token');
    }
    return found;
  };
