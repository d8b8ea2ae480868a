import { AppError, isAppError } from '@commonplace/contracts';
import { coalesceFresh } from '@commonplace/concurrency';
import { inSpan } from '@commonplace/tracing';
import type { Clock } from '../../deps.ts';
import type { UnverifiedLookupLimit } from '../../limits/unverified-lookup-limit.ts';
import { hedgedRequest } from './hedged-request.ts';
import type { LookupLimiter } from './lookup-limiter.ts';

/** A lookup of a credential or of memberships at a service. */
export type Lookup<Value> = {
  /** A digest, never a credential. */
  readonly key: string;
  /** Sends the request. Returns null when the service knows no such thing. */
  readonly send: () => Promise<Value | null>;
  /** The address that an unverified lookup counts against; null for lookups of verified callers. */
  readonly address: string | null;
  /** The maximum age of the result, where that is less than the default. */
  readonly maxAgeMs?: number | undefined;
};

/** The result of a lookup, and when its request was sent. */
export type LookupResult<Value> = { readonly value: Value | null; readonly sentAtMs: number };

export type LookupOptions<Value> = {
  readonly clock: Clock;
  readonly lookupLimiter: LookupLimiter;
  readonly unverifiedLimit: UnverifiedLookupLimit;
  readonly isKnown: (key: string) => boolean;
  /** Called with every result that no newer lookup has superseded. */
  readonly onResult: (key: string, result: LookupResult<Value>) => void;
};

export type Lookups<Value> = {
  /** Returns the result of a request sent after this call. Any number of concurrent calls sends two. */
  readonly fetchFresh: (lookup: Lookup<Value>) => Promise<Value | null>;
  /** Joins the pending lookup of the same key, or starts one. */
  readonly joinOrStart: (lookup: Lookup<Value>) => Promise<Value | null>;
  /** Lets nobody join the pending lookups any more, because their results may be out of date. */
  readonly detachPending: () => void;
};

type PendingLookup<Value> = { readonly value: Promise<Value | null>; readonly startedAtMs: number };

/**
 * The age from which a pending lookup cannot be joined. If this process was blocked for seconds, the response
 * may already wait in the socket, and says nothing about what happened since.
 */
const joinMaxAgeMs = 900;

/** Creates lookups that respect the limits. Concurrent lookups of one key share a request. */
export const createLookups = <Value>(options: LookupOptions<Value>): Lookups<Value> => {
  const { clock, lookupLimiter, unverifiedLimit, isKnown, onResult } = options;
  const inFlight = new Map<string, PendingLookup<Value>>();

  const start = ({ key, send, address }: Lookup<Value>): Promise<Value | null> => {
    const isUnverified = address !== null && !isKnown(key);
    const refund = isUnverified ? unverifiedLimit.admit(address) : () => undefined;
    const sendOnce = async () => {
      const sentAtMs = clock.monotonicMs();
      const value = await send();
      if (inFlight.get(key) === pending) {
        onResult(key, { value, sentAtMs });
      }
      return value;
    };
    const run = async () => {
      let isInvalid = false;
      try {
        const value = await inSpan('lookup', () =>
          lookupLimiter(isUnverified, () => hedgedRequest(sendOnce)),
        );
        isInvalid = value === null;
        return value;
      } catch (error) {
        throw toServiceUnavailable(error);
      } finally {
        if (!isInvalid) {
          refund();
        }
        if (inFlight.get(key) === pending) {
          inFlight.delete(key);
        }
      }
    };
    const pending = { value: run(), startedAtMs: clock.monotonicMs() };
    inFlight.set(key, pending);
    return pending.value;
  };

  return {
    fetchFresh: coalesceFresh(start),
    joinOrStart: (lookup) => {
      const pending = inFlight.get(lookup.key);
      const ageMaxMs = Math.min(joinMaxAgeMs, lookup.maxAgeMs ?? joinMaxAgeMs);
      const canJoin = pending && clock.monotonicMs() - pending.startedAtMs < ageMaxMs;
      return canJoin ? pending.value : start(lookup);
    },
    detachPending: () => inFlight.clear(),
  };
};

/** A failed lookup proves nothing about the credential, so whatever the error, the caller gets 503. */
const toServiceUnavailable = (error: unknown): AppError =>
  isAppError(error) && error.status === 503
    ? error
    : new AppError('service_unavailable', undefined, {
        cause: error,
      });
