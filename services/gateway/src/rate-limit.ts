import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type { Clock } from './deps.ts';
import { networkOf } from './network-of.ts';
import { addOwnHeaders } from './own-headers.ts';
import { tokenBuckets, type Taken } from './token-buckets.ts';

/** Draws on the bucket of a credential; 429 when it is empty. */
export type RateLimit = (credentialId: string, res: ServerResponse) => void;

/**
 * Makes the rate limit per credential, with a burst of as many requests as a second allows; 0 is off.
 * Headers as in draft-ietf-httpapi-ratelimit-headers.
 */
export const rateLimit = (perSecond: number, clock: Clock): RateLimit => {
  if (perSecond === 0) {
    return () => undefined;
  }
  const { monotonicMs } = clock;
  const buckets = tokenBuckets({ perSecond, burst: perSecond, monotonicMs });
  const policy = `"credential";q=${perSecond};w=1`;
  return (credentialId, res) => {
    const taken = buckets.take(credentialId);
    const rest = `"credential";r=${taken.remaining};t=${taken.waitSeconds}`;
    addOwnHeaders(res, 'RateLimit-Policy', policy, 'RateLimit', rest);
    if (!taken.isAllowed) {
      throw limited(taken);
    }
  };
};

/** What stands between strangers and look-ups: a draw per address, given back when the credential was good. */
export type StrangerLimit = { readonly admit: (address: string) => () => void };

/**
 * A key's checksum is public, so forged ones are cheap to make, and each costs a look-up. Nobody with
 * good credentials looks up that many new ones.
 */
const strangers = { perSecond: 50, burst: 500 };

/** Makes the limit for credentials that were never seen to be good, per address (/64 for IPv6). */
export const strangerLimit = ({ monotonicMs }: Clock): StrangerLimit => {
  const buckets = tokenBuckets({ ...strangers, monotonicMs });
  return {
    admit: (address) => {
      const name = networkOf(address);
      const taken = buckets.take(name);
      if (!taken.isAllowed) {
        throw limited(taken);
      }
      return () => buckets.giveBack(name);
    },
  };
};

const limited = (taken: Taken): AppError =>
  new AppError('rate_limited', undefined, {
    headers: { 'Retry-After': String(taken.waitSeconds) },
  });
