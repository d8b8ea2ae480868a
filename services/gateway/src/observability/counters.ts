import type { ConnectionCounters } from '../http/connection-limits.ts';
import type { BodyCounters } from '../limits/body-budget.ts';

/** What the gateway counts for the metrics, beside its requests. */
export type GatewayCounters = ConnectionCounters &
  BodyCounters & {
    /** Verifications that the cache had. */
    hits: number;
    misses: number;
    /** Lookups that have no response yet. */
    inFlight: number;
    /** Requests with status 429. */
    limited: number;
  };

/** Creates the counters, all 0. */
export const createCounters = (): GatewayCounters => ({
  hits: 0,
  misses: 0,
  inFlight: 0,
  limited: 0,
  connections: 0,
  refused: { total: 0, address: 0 },
  unread: 0,
  bodyBytes: 0,
  bodiesRefused: 0,
});
