export type { Reading } from './reading.ts';
export { startMetrics } from './start-metrics.ts';
export { startServiceMetrics } from './start-service-metrics.ts';
