import type { RouteContract } from '@commonplace/contracts';
import type { Logger, OnAnswered } from '@commonplace/http/core';
import type { Config } from './config.ts';
import type { GatewayCounters } from './observability/counters.ts';

/** Two clocks: the wall for expiries, and one that nobody can set for ages and waits. */
export type Clock = { readonly nowMs: () => number; readonly monotonicMs: () => number };

export const systemClock: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

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
  /** Counted here what the verification caches know and ask. */
  readonly counters?: GatewayCounters | undefined;
};
