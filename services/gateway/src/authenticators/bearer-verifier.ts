import { AppError } from '@commonplace/contracts';
import type { VerificationCache } from '../verification-cache.ts';
import type { Presented, Verified } from './authenticator.ts';
import type { Bearer } from './bearer.ts';

export type BearerVerifierOptions = {
  readonly cache: VerificationCache<Verified>;
  /** What can be told of a bearer without a look-up. Forged ones end here: they draw on nobody's budget. */
  readonly isSound: (text: string) => boolean;
  /** Asks whose it is; null: nobody's. */
  readonly ask: (text: string) => Promise<Verified | null>;
};

/** Makes the function that finds whose a bearer is, by what is remembered or by asking; 401 for nobody's. */
export const bearerVerifier =
  ({ cache, isSound, ask }: BearerVerifierOptions) =>
  async ({ text, digest: key }: Bearer, { address, maxAgeMs }: Presented): Promise<Verified> => {
    const isGood = cache.isKnown(key) || isSound(text);
    const found = isGood
      ? await cache.find({ key, address, maxAgeMs, send: () => ask(text) })
      : null;
    if (!found) {
      throw new AppError('invalid_token');
    }
    return found;
  };
