import { AppError } from '@commonplace/contracts';
import { LRUCache } from 'lru-cache';

export type BucketOptions = {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly monotonicMs: () => number;
};

/** The bucket after a token was requested. */
export type Consumed = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until the next token; 0 when the token was granted. */
  readonly waitSeconds: number;
};

export type TokenBuckets = {
  /**
   * Takes tokens, one by default. No more than `neededMax` (default: a full bucket) must be there: what is taken beyond
   * leaves the bucket in debt, so that the average holds.
   */
  readonly consume: (name: string, tokens?: number, neededMax?: number) => Consumed;
  /** Returns a token to the bucket. */
  readonly refund: (name: string) => void;
};

type Bucket = { tokens: number; filledAtMs: number };

/** The buckets kept. An evicted bucket is full again, which errs on the side of the client. */
const bucketsMax = 50_000;

/** Creates one token bucket per name. */
export const createTokenBuckets = ({
  perSecond,
  burst,
  monotonicMs,
}: BucketOptions): TokenBuckets => {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });

  const filled = (name: string): Bucket => {
    const nowMs = monotonicMs();
    const bucket = buckets.get(name) ?? { tokens: burst, filledAtMs: nowMs };
    const added = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + added);
    bucket.filledAtMs = nowMs;
    buckets.set(name, bucket);
    return bucket;
  };

  return {
    consume: (name, tokens = 1, neededMax = burst) => {
      const bucket = filled(name);
      const needed = Math.min(tokens, neededMax);
      const isAllowed = bucket.tokens >= needed;
      bucket.tokens -= isAllowed ? tokens : 0;
      const missing = Math.max(0, needed - bucket.tokens);
      return {
        isAllowed,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        waitSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(missing / perSecond)),
      };
    },
    refund: (name) => {
      const bucket = filled(name);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
  };
};

/** The error for an empty bucket: 429 with `Retry-After`. */
export const rateLimited = ({ waitSeconds }: Consumed): AppError =>
  new AppError('rate_limited', undefined, { headers: { 'Retry-After': String(waitSeconds) } });
