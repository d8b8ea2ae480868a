import { LRUCache } from 'lru-cache';

export type BucketOptions = {
  /** Tokens that come back every second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
  readonly monotonicMs: () => number;
};

/** What taking a token gave. */
export type Consumed = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until there is a token again; 0 when there is one. */
  readonly waitSeconds: number;
};

export type TokenBuckets = {
  readonly consume: (name: string) => Consumed;
  /** Puts a token back that should not have been taken. */
  readonly refund: (name: string) => void;
};

type Bucket = { tokens: number; filledAtMs: number };

/** Buckets remembered at once. A forgotten one is full again, which only ever errs to the caller's good. */
const bucketsMax = 50_000;

/** One token bucket per name. */
export const createTokenBuckets = ({
  perSecond,
  burst,
  monotonicMs,
}: BucketOptions): TokenBuckets => {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });

  const filled = (name: string): Bucket => {
    const nowMs = monotonicMs();
    const bucket = buckets.get(name) ?? { tokens: burst, filledAtMs: nowMs };
    const gained = ((nowMs - bucket.filledAtMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + gained);
    bucket.filledAtMs = nowMs;
    buckets.set(name, bucket);
    return bucket;
  };

  return {
    consume: (name) => {
      const bucket = filled(name);
      const isAllowed = bucket.tokens >= 1;
      bucket.tokens -= isAllowed ? 1 : 0;
      const missing = Math.max(0, 1 - bucket.tokens);
      return {
        isAllowed,
        remaining: Math.floor(bucket.tokens),
        waitSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(missing / perSecond)),
      };
    },
    refund: (name) => {
      const bucket = filled(name);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
  };
};
