import type { RouteContract } from '@commonplace/contracts';
import type { Logger } from '@commonplace/http/core';
import type { Config } from './config.ts';

/** Two clocks: the wall for expiries, and one that nobody can set for ages and waits. */
export type Clock = { readonly nowMs: () => number; readonly monotonicMs: () => number };

export const systemClock: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** Told once per answered request; the metrics listen here. */
export type OnAnswered = (answered: {
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}) => void;

/** What the gateway is made of. */
export type Deps = {
  readonly config: Config;
  /** The routes to forward. */
  readonly contracts: readonly RouteContract[];
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborted when shutdown begins. */
  readonly draining: AbortSignal;
  readonly onAnswered?: OnAnswered | undefined;
  /** Told of every question to a verification cache, and whether it knew the answer. */
  readonly onLookUp?: ((isHit: boolean) => void) | undefined;
};
