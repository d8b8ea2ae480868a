import { networkOfAddress } from '@commonplace/identity';
import type { Clock } from '../deps.ts';
import { createTokenBuckets, rateLimited } from './token-bucket.ts';

/**
 * Limits lookups of unverified credentials per address. `admit` consumes a token, 429 without one, and returns
 * the function that refunds it when the credential was valid.
 */
export type UnverifiedLookupLimit = { readonly admit: (address: string) => () => void };

/**
 * The checksum of a key is public, so forged keys are cheap and each costs a lookup. No legitimate client looks
 * up so many new credentials.
 */
const unverifiedLookups = { perSecond: 50, burst: 500 };

/** Creates the limit, per address (/64 for IPv6). */
export const createUnverifiedLookupLimit = ({ monotonicMs }: Clock): UnverifiedLookupLimit => {
  const buckets = createTokenBuckets({ ...unverifiedLookups, monotonicMs });
  return {
    admit: (address) => {
      const network = networkOfAddress(address);
      const consumed = buckets.consume(network);
      if (!consumed.isAllowed) {
        throw rateLimited(consumed);
      }
      return () => buckets.refund(network);
    },
  };
};
