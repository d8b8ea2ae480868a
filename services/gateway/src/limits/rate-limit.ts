import type { ServerResponse } from 'node:http';
import type { Clock } from '../deps.ts';
import { addPendingHeaders } from '../http/pending-headers.ts';
import { createTokenBuckets, rateLimited } from './token-bucket.ts';

/** Consumes a token of a credential; 429 when it has none. */
export type RateLimit = {
  (credentialId: string, res: ServerResponse): void;
  /** Consumes tokens for the further messages of a request that has consumed its own. */
  readonly forMore: (credentialId: string, messages: number) => void;
};

/**
 * Creates the rate limit per credential, with a burst of one second's requests; 0 turns it off. The headers
 * follow draft-ietf-httpapi-ratelimit-headers.
 */
export const createRateLimit = (perSecond: number, { monotonicMs }: Clock): RateLimit => {
  if (perSecond === 0) {
    return Object.assign(() => undefined, { forMore: () => undefined });
  }
  const buckets = createTokenBuckets({ perSecond, burst: perSecond, monotonicMs });
  const policy = `"credential";q=${perSecond};w=1`;
  const limit = (credentialId: string, res: ServerResponse): void => {
    const consumed = buckets.consume(credentialId);
    const rest = `"credential";r=${consumed.remaining};t=${consumed.waitSeconds}`;
    addPendingHeaders(res, 'RateLimit-Policy', policy, 'RateLimit', rest);
    if (!consumed.isAllowed) {
      throw rateLimited(consumed);
    }
  };
  const forMore = (credentialId: string, messages: number): void => {
    // The own token of the request is gone from the bucket already.
    const consumed = buckets.consume(credentialId, messages, perSecond - 1);
    if (!consumed.isAllowed) {
      throw rateLimited(consumed);
    }
  };
  return Object.assign(limit, { forMore });
};
