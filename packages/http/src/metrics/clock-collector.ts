import { refusedByClock } from '../pipeline/clock-difference.ts';
import type { Collector } from './collector.ts';

/** Requests that were refused because clocks differ. */
export const clockCollector: Collector = {
  kind: 'counter',
  name: 'identities_refused_by_clock_total',
  help: 'Requests refused with 503 because the clock of the process that sent them differs from ours',
  read: refusedByClock,
};
