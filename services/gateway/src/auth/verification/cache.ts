import { LRUCache } from 'lru-cache';
import type { Clock } from '../../deps.ts';
import type { UnverifiedLookupLimit } from '../../limits/unverified-lookup-limit.ts';
import { createLookups, type LookupResult, type Lookup } from './coalesced-lookups.ts';
import { createKeyIndex } from './key-index.ts';
import type { LookupLimiter } from './lookup-limiter.ts';

/** What a service reports about a credential or an operator. */
export type Verifiable = {
  /** When it expires, in wall-clock time; Infinity for never. */
  readonly expiresAtMs: number;
  /** The ids that it depends on: a change to one of them makes it stale. */
  readonly ids: readonly string[];
};

/** A cache of verifications. Both lookups return null for what is unknown or expired, and throw 503 on failure. */
export type VerificationCache<Value> = {
  readonly find: (lookup: Lookup<Value>) => Promise<Value | null>;
  /** Ignores the cache: the request is sent after this call. */
  readonly findFresh: (lookup: Lookup<Value>) => Promise<Value | null>;
  /** Whether the last lookup of a key found something. */
  readonly isKnown: (key: string) => boolean;
} & Invalidatable;

export type Invalidatable = {
  /** Drops the entries that depend on one of these ids, and every miss. */
  readonly invalidate: (ids: ReadonlySet<string>) => void;
};

export type CacheOptions = {
  readonly clock: Clock;
  readonly lookupLimiter: LookupLimiter;
  readonly unverifiedLimit: UnverifiedLookupLimit;
  readonly onFind?: ((isHit: boolean) => void) | undefined;
};

/** An entry is used while it is younger than this, counted from when its request was sent. */
const maxAgeMs = 900;
/** An entry older than this is refreshed in the background. */
const refreshAfterMs = 500;
const entriesMax = 10_000;

/**
 * Creates a cache that keeps an entry for less than a second, so that a revocation holds on every replica
 * within a second without any notification. When a lookup fails the caller gets 503: never "invalid", never
 * "allowed". Misses have their own store, so that a flood of invalid credentials evicts no valid one. A new
 * credential cannot meet an old miss, because its digest is new.
 */
export const createVerificationCache = <Value extends Verifiable>(
  options: CacheOptions,
): VerificationCache<Value> => {
  const { clock, onFind } = options;
  const index = createKeyIndex();
  // `dispose` is called for entries that are replaced too, before the new one is indexed.
  const hits = new LRUCache<string, LookupResult<Value>>({
    max: entriesMax,
    dispose: ({ value }, key) => index.remove(key, value?.ids ?? []),
  });
  const misses = new LRUCache<string, LookupResult<Value>>({ max: entriesMax });
  const isKnown = (key: string): boolean => hits.has(key);

  const onResult = (key: string, result: LookupResult<Value>): void => {
    const [into, from] = result.value === null ? [misses, hits] : [hits, misses];
    into.set(key, result);
    from.delete(key);
    index.add(key, result.value?.ids ?? []);
  };
  const lookups = createLookups<Value>({ ...options, isKnown, onResult });

  const unexpired = (value: Value | null): Value | null =>
    value !== null && value.expiresAtMs > clock.nowMs() ? value : null;

  return {
    isKnown,
    find: async (lookup) => {
      const entry = hits.get(lookup.key) ?? misses.get(lookup.key);
      const ageMs = entry ? clock.monotonicMs() - entry.sentAtMs : Infinity;
      const ageMaxMs = Math.min(maxAgeMs, lookup.maxAgeMs ?? maxAgeMs);
      onFind?.(ageMs < ageMaxMs);
      if (!entry || ageMs >= ageMaxMs) {
        return unexpired(await lookups.joinOrStart(lookup));
      }
      if (ageMs > refreshAfterMs && entry.value !== null) {
        // A failure is ignored here: the entry is used until it is too old, and the next lookup reports it.
        lookups.joinOrStart(lookup).catch(() => undefined);
      }
      return unexpired(entry.value);
    },
    findFresh: async (lookup) => unexpired(await lookups.fetchFresh(lookup)),
    invalidate: (ids) => {
      for (const key of index.keysOf(ids)) {
        hits.delete(key);
      }
      misses.clear();
      lookups.detachPending();
    },
  };
};
