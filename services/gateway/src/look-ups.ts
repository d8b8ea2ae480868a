import { AppError, isAppError } from '@commonplace/contracts';
import { afreshBy } from '@commonplace/sharing';
import type { Clock } from './deps.ts';
import { hedge } from './hedge.ts';
import type { LookUpGate } from './look-up-gate.ts';
import type { StrangerLimit } from './rate-limit.ts';

export type LookUp<Value> = {
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
export type Answer<Value> = { readonly value: Value | null; readonly sentAtMs: number };

export type LookUpOptions<Value> = {
  readonly clock: Clock;
  readonly gate: LookUpGate;
  readonly strangers: StrangerLimit;
  readonly isKnown: (key: string) => boolean;
  /** Told of every answer that nothing has overtaken. */
  readonly onAnswer: (key: string, answer: Answer<Value>) => void;
};

export type LookUps<Value> = {
  /** Takes the answer of a question that is sent from now on. However many ask at once, two are sent. */
  readonly askAfresh: (lookUp: LookUp<Value>) => Promise<Value | null>;
  /** Takes the answer of a question under way, or sends one. */
  readonly join: (lookUp: LookUp<Value>) => Promise<Value | null>;
  /** Answers to the questions under way may be out of date: nobody else gets them. */
  readonly abandon: () => void;
};

type Question<Value> = { readonly value: Promise<Value | null>; readonly askedAtMs: number };

/**
 * Nobody joins an older question. Its answer can be in already, unread, when this process has stood
 * still for seconds, and then says nothing of what happened meanwhile.
 */
const joinedMs = 900;

/** Sends look-ups within their budgets, and lets those for one credential share one question. */
export const lookUps = <Value>(options: LookUpOptions<Value>): LookUps<Value> => {
  const { clock, gate, strangers, isKnown, onAnswer } = options;
  const inFlight = new Map<string, Question<Value>>();

  const ask = ({ key, send, address }: LookUp<Value>): Promise<Value | null> => {
    const isStranger = address !== null && !isKnown(key);
    const giveBack = isStranger ? strangers.admit(address) : () => undefined;
    const askOnce = async () => {
      const sentAtMs = clock.monotonicMs();
      const value = await send();
      if (inFlight.get(key) === pending) {
        onAnswer(key, { value, sentAtMs });
      }
      return value;
    };
    const settled = async () => {
      let isBad = false;
      try {
        const value = await gate(isStranger, () => hedge(askOnce));
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
    const pending = { value: settled(), askedAtMs: clock.monotonicMs() };
    inFlight.set(key, pending);
    return pending.value;
  };

  return {
    askAfresh: afreshBy(ask),
    join: (lookUp) => {
      const pending = inFlight.get(lookUp.key);
      const ageMaxMs = Math.min(joinedMs, lookUp.maxAgeMs ?? joinedMs);
      const isYoung = pending && clock.monotonicMs() - pending.askedAtMs < ageMaxMs;
      return isYoung ? pending.value : ask(lookUp);
    },
    abandon: () => inFlight.clear(),
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
