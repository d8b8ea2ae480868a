import { LRUCache } from 'lru-cache';
import type { Clock } from '../../deps.ts';
import type { LookupLimiter } from './lookup-limiter.ts';
import { createLookups, type LookupResult, type Lookup } from './coalesced-lookups.ts';
import type { UnverifiedLookupLimit } from '../../limits/rate-limit.ts';

/** Something a service said of a credential or an operator. */
export type Verifiable = {
  /** When it ends by itself, by the wall clock; Infinity: never. */
  readonly expiresAtMs: number;
  /** The ids it speaks of: a change to one of them makes it stale. */
  readonly ids: readonly string[];
};

export type VerificationCache<Value> = {
  readonly find: (lookUp: Lookup<Value>) => Promise<Value | null>;
  /** As `find`, with an answer to a question sent after this call. */
  readonly findFresh: (lookUp: Lookup<Value>) => Promise<Value | null>;
  /** True for what was good when last asked. */
  readonly isKnown: (key: string) => boolean;
  /** Forgets whatever speaks of one of these ids, and every miss. */
  readonly invalidate: (ids: ReadonlySet<string>) => void;
};

export type CacheOptions = {
  readonly clock: Clock;
  readonly lookupLimiter: LookupLimiter;
  readonly unverifiedLimit: UnverifiedLookupLimit;
  readonly onFind?: ((isHit: boolean) => void) | undefined;
};

/** An answer is served while it is younger than this, counted from when its question was sent. */
const maxAgeMs = 900;
/** From this age on it is asked for again in the background. */
const refreshAfterMs = 500;
const entriesMax = 10_000;

/**
 * Remembers for less than a second what services say of credentials, so that a revocation holds on
 * every replica within a second and nobody has to be told. No answer to be had is 503: never
 * "invalid", never "allowed". Misses have a store of their own: a flood of bad credentials pushes no
 * good one out, and a new credential, having a new digest, never meets an old miss.
 */
export const createVerificationCache = <Value extends Verifiable>(
  options: CacheOptions,
): VerificationCache<Value> => {
  const { clock, onFind } = options;
  const held = new LRUCache<string, LookupResult<Value>>({ max: entriesMax });
  const misses = new LRUCache<string, LookupResult<Value>>({ max: entriesMax });
  const isKnown = (key: string): boolean => held.has(key);

  const onAnswer = (key: string, answer: LookupResult<Value>): void => {
    const [into, from] = answer.value === null ? [misses, held] : [held, misses];
    into.set(key, answer);
    from.delete(key);
  };
  const questions = createLookups<Value>({ ...options, isKnown, onResult: onAnswer });

  const living = (value: Value | null): Value | null =>
    value !== null && value.expiresAtMs > clock.nowMs() ? value : null;

  return {
    isKnown,
    find: async (lookUp) => {
      const answer = held.get(lookUp.key) ?? misses.get(lookUp.key);
      const ageMs = answer ? clock.monotonicMs() - answer.sentAtMs : Infinity;
      const ageMaxMs = Math.min(maxAgeMs, lookUp.maxAgeMs ?? maxAgeMs);
      onFind?.(ageMs < ageMaxMs);
      if (!answer || ageMs >= ageMaxMs) {
        return living(await questions.joinOrStart(lookUp));
      }
      if (ageMs > refreshAfterMs && answer.value !== null) {
        // Fails in silence: the answer serves on until it is too old, and then the failure shows.
        questions.joinOrStart(lookUp).catch(() => undefined);
      }
      return living(answer.value);
    },
    findFresh: async (lookUp) => living(await questions.fetchFresh(lookUp)),
    invalidate: (ids) => {
      const isNamed = ({ value }: LookupResult<Value>) => value?.ids.some((id) => ids.has(id));
      const stale = [...held.entries()].filter(([, answer]) => isNamed(answer));
      for (const [key] of stale) {
        held.delete(key);
      }
      misses.clear();
      questions.detachPending();
    },
  };
};
