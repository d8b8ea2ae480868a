import { spanCounts } from '@commonplace/tracing';
import type { Collector } from './collector.ts';

/** Spans by whether the collector has them; without traces both are 0. */
export const traceCollector: Collector = {
  kind: 'counter',
  name: 'tracing_spans_total',
  help: 'Spans of traces: sent to the collector, or lost because it does not accept them in time',
  label: 'result',
  read: () => spanCounts,
};
