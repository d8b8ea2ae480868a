import { clockCollector } from './clock-collector.ts';
import { poolCollectors, type DatabasePool } from './pool-collectors.ts';
import { startMetrics, type Metrics, type MetricsOptions } from './start-metrics.ts';

/** Starts the metrics of a service with a database. */
export const startServiceMetrics = ({
  pool,
  collectors,
  ...rest
}: MetricsOptions & { readonly pool: DatabasePool }): Promise<Metrics> =>
  startMetrics({
    ...rest,
    collectors: [clockCollector, ...poolCollectors(pool), ...collectors],
  });
