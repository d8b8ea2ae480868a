import { startMetrics, type MetricsOptions } from './start-metrics.ts';
import { poolReadings } from './pool-readings.ts';
import type { OnAnswered } from '../on-answered.ts';

type ServiceMetrics = Pick<MetricsOptions, 'service' | 'log'> & {
  readonly config: {
    readonly METRICS_HOST: string;
    readonly METRICS_PORT?: number | undefined;
  };
  readonly pool: Parameters<typeof poolReadings>[0];
  readonly readings?: MetricsOptions['readings'];
};

/** The metrics of a service with a database, and who has to be told of its answers. */
export const startServiceMetrics = async ({
  config,
  pool,
  readings = [],
  ...rest
}: ServiceMetrics): Promise<OnAnswered> => {
  const { onAnswered } = await startMetrics({
    ...rest,
    host: config.METRICS_HOST,
    port: config.METRICS_PORT ?? 0,
    readings: [...poolReadings(pool), ...readings],
  });
  return onAnswered;
};
