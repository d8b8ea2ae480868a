import { clockCollector } from './clock-collector.ts';
import { startMetrics, type MetricsOptions } from './start-metrics.ts';
import { poolCollectors } from './pool-collectors.ts';
import type { OnResponse } from '../logging/on-response.ts';

export type ServiceMetrics = Pick<MetricsOptions, 'service' | 'log'> & {
  readonly config: {
    readonly METRICS_HOST: string;
    readonly METRICS_PORT?: number | undefined;
  };
  readonly pool: Parameters<typeof poolCollectors>[0];
  readonly collectors?: MetricsOptions['collectors'];
};

/** Starts the metrics of a service with a database; returns the callback for its responses. */
export const startServiceMetrics = async ({
  config,
  pool,
  collectors = [],
  ...rest
}: ServiceMetrics): Promise<OnResponse> => {
  const { onResponse } = await startMetrics({
    ...rest,
    host: config.METRICS_HOST,
    port: config.METRICS_PORT ?? 0,
    collectors: [clockCollector, ...poolCollectors(pool), ...collectors],
  });
  return onResponse;
};
