export { clockCollector } from './clock-collector.ts';
export type { Collector } from './collector.ts';
export { startMetrics } from './start-metrics.ts';
