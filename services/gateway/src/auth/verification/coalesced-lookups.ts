import { AppError, isAppError } from '@commonplace/contracts';
import { afreshBy } from '@commonplace/sharing';
import type { Clock } from '../../deps.ts';
import { hedgedRequest } from './hedged-request.ts';
import type { LookupLimiter } from './lookup-limiter.ts';
import type { UnverifiedLookupLimit } from '../../limits/rate-limit.ts';

export type Lookup<Value> = {
  /** A digest, never a credential. */
  readonly key: string;
  /** Asks a service; null when there is no such thing. */
  readonly send: () => Promise<Value | null>;
  /** Who presented it; null when somebody verified already answers for it. */
  readonly address: string | null;
  /** No older answer will do, where that is less than usual. */
  readonly maxAgeMs?: number | undefined;
};

/** An answer, and when its question was sent. */
export type LookupResult<Value> = { readonly value: Value | null; readonly sentAtMs: number };

export type LookupOptions<Value> = {
  readonly clock: Clock;
  readonly lookupLimiter: LookupLimiter;
  readonly unverifiedLimit: UnverifiedLookupLimit;
  readonly isKnown: (key: string) => boolean;
  /** Told of every answer that nothing has overtaken. */
  readonly onResult: (key: string, answer: LookupResult<Value>) => void;
};

export type Lookups<Value> = {
  /** Takes the answer of a question that is sent from now on. However many ask at once, two are sent. */
  readonly fetchFresh: (lookUp: Lookup<Value>) => Promise<Value | null>;
  /** Takes the answer of a question under way, or sends one. */
  readonly joinOrStart: (lookUp: Lookup<Value>) => Promise<Value | null>;
  /** Answers to the questions under way may be out of date: nobody else gets them. */
  readonly detachPending: () => void;
};

type PendingLookup<Value> = { readonly value: Promise<Value | null>; readonly startedAtMs: number };

/**
 * Nobody joins an older question. Its answer can be in already, unread, when this process has stood
 * still for seconds, and then says nothing of what happened meanwhile.
 */
const joinMaxAgeMs = 900;

/** Sends look-ups within their budgets, and lets those for one credential share one question. */
export const createLookups = <Value>(options: LookupOptions<Value>): Lookups<Value> => {
  const { clock, lookupLimiter, unverifiedLimit, isKnown, onResult } = options;
  const inFlight = new Map<string, PendingLookup<Value>>();

  const ask = ({ key, send, address }: Lookup<Value>): Promise<Value | null> => {
    const isStranger = address !== null && !isKnown(key);
    const giveBack = isStranger ? unverifiedLimit.admit(address) : () => undefined;
    const askOnce = async () => {
      const sentAtMs = clock.monotonicMs();
      const value = await send();
      if (inFlight.get(key) === pending) {
        onResult(key, { value, sentAtMs });
      }
      return value;
    };
    const settled = async () => {
      let isBad = false;
      try {
        const value = await lookupLimiter(isStranger, () => hedgedRequest(askOnce));
        isBad = value === null;
        return value;
      } catch (error) {
        throw unavailable(error);
      } finally {
        if (!isBad) {
          giveBack();
        }
        if (inFlight.get(key) === pending) {
          inFlight.delete(key);
        }
      }
    };
    const pending = { value: settled(), startedAtMs: clock.monotonicMs() };
    inFlight.set(key, pending);
    return pending.value;
  };

  return {
    fetchFresh: afreshBy(ask),
    joinOrStart: (lookUp) => {
      const pending = inFlight.get(lookUp.key);
      const ageMaxMs = Math.min(joinMaxAgeMs, lookUp.maxAgeMs ?? joinMaxAgeMs);
      const isYoung = pending && clock.monotonicMs() - pending.startedAtMs < ageMaxMs;
      return isYoung ? pending.value : ask(lookUp);
    },
    detachPending: () => inFlight.clear(),
  };
};

/** Whatever went wrong while asking, the caller may only be told to try again. */
const unavailable = (error: unknown): AppError =>
  isAppError(error) && error.status === 503
    ? error
    : new AppError('service_unavailable', undefined, {
        cause: error,
        headers: { 'Retry-After': '1' },
      });
