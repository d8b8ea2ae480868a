import type { ApiClient } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import { sleep } from '../sleep.ts';
import { pauseAfter } from './pause-after.ts';
import { watchHeads } from './watch-heads.ts';

/** What is done again and again, and what it is told. */
export type StepOptions = {
  readonly api: ApiClient;
  /** Synchronises once. It is never called while it is still at work. */
  readonly work: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Something failed and is tried again later; told once for an outage. */
  readonly onTrouble: (error: unknown) => void;
};

/** A loop that works at once, after every kick, and whenever the server has something new. */
export type Stepper = {
  /** Something changed on this side. */
  readonly kick: () => void;
  /** Resolves after the signal; rejects when the server refuses the caller for good. */
  readonly ended: Promise<void>;
};

/** Even when nobody says anything, both sides are compared this often. */
const longestSilenceMs = 60_000;
const longestPauseMs = 30_000;

/** Keeps two sides in step until the signal: offline spells are waited out with growing pauses. */
export const stayInStep = (options: StepOptions): Stepper => {
  const bell = createBell();
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  const { api, onTrouble } = options;
  const { ring } = bell;
  const listening = watchHeads({ api, signal, onHead: ring, onTrouble, onRecovery: ring });
  const ended = Promise.all([listening, workOn({ ...options, signal }, bell)]);
  return {
    kick: bell.ring,
    ended: ended.then(() => undefined).finally(() => stopped.abort()),
  };
};

const workOn = async ({ work, signal, onTrouble }: StepOptions, bell: Bell): Promise<void> => {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work();
      failures = 0;
      await bell.heard(longestSilenceMs, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (isFinal(error)) {
        throw error;
      }
      failures += 1;
      if (failures === 1) {
        onTrouble(error);
      }
      const random = Math.random();
      const pauseMs = pauseAfter({ failures, error, longestMs: longestPauseMs, random });
      await sleep(pauseMs, signal).catch(() => undefined);
    }
  }
};

type Bell = {
  readonly ring: () => void;
  /** Resolves after a ring since the last time, or after the wait. */
  readonly heard: (waitMs: number, signal: AbortSignal) => Promise<void>;
};

const createBell = (): Bell => {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    heard: async (waitMs, signal) => {
      await sleep(waitMs, AbortSignal.any([signal, rung.signal])).catch(() => undefined);
      rung = new AbortController();
    },
  };
};

/** Keys that were revoked, companies that were archived: no pause mends that. */
const isFinal = (error: unknown): boolean =>
  error instanceof ProblemError && [401, 403].includes(error.status);
