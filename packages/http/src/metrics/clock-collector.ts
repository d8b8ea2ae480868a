import { refusedByClock } from '../pipeline/assert-same-time.ts';
import type { Collector } from './collector.ts';

/** Requests that were refused because clocks differ. */
export const clockCollector: Collector = {
  kind: 'counter',
  name: 'identities_refused_by_clock_total',
  help: 'Requests refused with 503 because another process signed their identity or run token by a clock that differs from ours',
  read: refusedByClock,
};
