import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type { Clock } from '../deps.ts';
import { networkOfAddress } from '@commonplace/identity';
import { addPendingHeaders } from '../http/pending-headers.ts';
import { createTokenBuckets, type Consumed } from './token-bucket.ts';

/** Draws on the bucket of a credential; 429 when it is empty. */
export type RateLimit = (credentialId: string, res: ServerResponse) => void;

/**
 * Makes the rate limit per credential, with a burst of as many requests as a second allows; 0 is off.
 * Headers as in draft-ietf-httpapi-ratelimit-headers.
 */
export const createRateLimit = (perSecond: number, clock: Clock): RateLimit => {
  if (perSecond === 0) {
    return () => undefined;
  }
  const { monotonicMs } = clock;
  const buckets = createTokenBuckets({ perSecond, burst: perSecond, monotonicMs });
  const policy = `"credential";q=${perSecond};w=1`;
  return (credentialId, res) => {
    const taken = buckets.consume(credentialId);
    const rest = `"credential";r=${taken.remaining};t=${taken.waitSeconds}`;
    addPendingHeaders(res, 'RateLimit-Policy', policy, 'RateLimit', rest);
    if (!taken.isAllowed) {
      throw rateLimited(taken);
    }
  };
};

/** What stands between strangers and look-ups: a draw per address, given back when the credential was good. */
export type UnverifiedLookupLimit = { readonly admit: (address: string) => () => void };

/**
 * A key's checksum is public, so forged ones are cheap to make, and each costs a look-up. Nobody with
 * good credentials looks up that many new ones.
 */
const unverifiedLookups = { perSecond: 50, burst: 500 };

/** Makes the limit for credentials that were never seen to be good, per address (/64 for IPv6). */
export const createUnverifiedLookupLimit = ({ monotonicMs }: Clock): UnverifiedLookupLimit => {
  const buckets = createTokenBuckets({ ...unverifiedLookups, monotonicMs });
  return {
    admit: (address) => {
      const name = networkOfAddress(address);
      const taken = buckets.consume(name);
      if (!taken.isAllowed) {
        throw rateLimited(taken);
      }
      return () => buckets.refund(name);
    },
  };
};

const rateLimited = (taken: Consumed): AppError =>
  new AppError('rate_limited', undefined, {
    headers: { 'Retry-After': String(taken.waitSeconds) },
  });
