import type { ServiceName } from '@commonplace/contracts/core';
import type { Collector } from './metrics/collector.ts';
import type { DatabasePool } from './metrics/pool-collectors.ts';
import { runProcess, type Process } from './run-process.ts';

export type Service = Omit<Process, 'name' | 'startMetrics'> & {
  readonly name: ServiceName;
  /** The pools that are closed at the end; the metrics are of the first. */
  readonly databases: readonly [Database, ...Database[]];
  /** Metrics beside those of every service. */
  readonly collectors?: readonly Collector[];
};

type Database = { readonly pool: DatabasePool; readonly close: () => Promise<void> };

/** Runs a service with a database, as `runProcess` does. */
export const runService = ({
  databases,
  collectors = [],
  onClose,
  ...service
}: Service): Promise<void> =>
  runProcess({
    ...service,
    startMetrics: async (place) => {
      const { startServiceMetrics } = await import('./metrics/start-service-metrics.ts');
      const [{ pool }] = databases;
      return startServiceMetrics({ ...place, service: service.name, pool, collectors });
    },
    onClose: async () => {
      await onClose?.();
      await Promise.all(databases.map((database) => database.close()));
    },
  });
