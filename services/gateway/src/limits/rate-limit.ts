import type { ServerResponse } from 'node:http';
import type { Clock } from '../deps.ts';
import { addPendingHeaders } from '../http/pending-headers.ts';
import { createTokenBuckets, rateLimited } from './token-bucket.ts';

/** Consumes a token of a credential; 429 when it has none. */
export type RateLimit = (credentialId: string, res: ServerResponse) => void;

/**
 * Creates the rate limit per credential, with a burst of one second's requests; 0 turns it off. The headers
 * follow draft-ietf-httpapi-ratelimit-headers.
 */
export const createRateLimit = (perSecond: number, { monotonicMs }: Clock): RateLimit => {
  if (perSecond === 0) {
    return () => undefined;
  }
  const buckets = createTokenBuckets({ perSecond, burst: perSecond, monotonicMs });
  const policy = `"credential";q=${perSecond};w=1`;
  return (credentialId, res) => {
    const consumed = buckets.consume(credentialId);
    const rest = `"credential";r=${consumed.remaining};t=${consumed.waitSeconds}`;
    addPendingHeaders(res, 'RateLimit-Policy', policy, 'RateLimit', rest);
    if (!consumed.isAllowed) {
      throw rateLimited(consumed);
    }
  };
};
