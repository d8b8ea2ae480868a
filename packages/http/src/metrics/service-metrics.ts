import type { ServiceMetrics } from './start-service-metrics.ts';
import type { OnResponse } from '../logging/on-response.ts';

/** Starts the metrics server of a service if METRICS_PORT is set. Without it prom-client is not even loaded. */
export const serviceMetrics = async (options: ServiceMetrics): Promise<OnResponse | undefined> => {
  if (options.config.METRICS_PORT === undefined) {
    return undefined;
  }
  const { startServiceMetrics } = await import('./start-service-metrics.ts');
  return startServiceMetrics(options);
};
