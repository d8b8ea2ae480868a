import type { RouteContract } from '@commonplace/contracts';
import type { Logger, OnResponse } from '@commonplace/http/core';
import type { Config } from './config.ts';
import type { GatewayCounters } from './observability/counters.ts';

/** `nowMs` is wall-clock time, for expiries. `monotonicMs` never jumps and is for ages and waits. */
export type Clock = { readonly nowMs: () => number; readonly monotonicMs: () => number };

export const systemClock: Clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** What the gateway is created from. */
export type Deps = {
  readonly config: Config;
  /** The routes to the services. */
  readonly contracts: readonly RouteContract[];
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborted when shutdown begins. */
  readonly draining: AbortSignal;
  readonly onResponse?: OnResponse | undefined;
  /** What the components count for the metrics. */
  readonly counters?: GatewayCounters | undefined;
  /** The tarballs that it serves; default: those of this checkout or image. */
  readonly packagesDir?: string | undefined;
};
