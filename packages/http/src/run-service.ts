import { pause, runPeriodically } from '@commonplace/concurrency';
import type { ServiceName } from '@commonplace/contracts/core';
import type { Collector } from './metrics/collector.ts';
import type { DatabasePool } from './metrics/pool-collectors.ts';
import { runProcess, type Process } from './run-process.ts';

export type Service = Omit<Process, 'name' | 'startMetrics'> & {
  readonly name: ServiceName;
  /** The pools that are closed at the end; the metrics and the clock are of the first. */
  readonly databases: readonly [Database, ...Database[]];
  /** Metrics beside those of every service. */
  readonly collectors?: readonly Collector[];
};

type Database = {
  readonly pool: DatabasePool;
  readonly clock: { readonly synchronise: () => Promise<void> };
  readonly close: () => Promise<void>;
};

/** How often the clock of the database is read. */
const repeatMs = 10_000;
/** While it was never read; requests that need it get 503. */
const firstPauseMs = 250;

/** How long the start waits for the first reading: a database that hangs is no reason not to listen. */
const firstReadingMaxMs = 1_000;

/** Runs a service with a database, as `runProcess` does. Its background work begins when the time of the database is known. */
export const runService = async ({
  databases,
  collectors = [],
  background,
  onClose,
  ...service
}: Service): Promise<void> => {
  const { clock } = databases[0];
  const onError = (error: unknown) =>
    service.log.warn({ err: error }, 'cannot read the clock of the database; a retry follows');
  // Without a database the process starts and is not ready.
  await readAtStart(clock);
  await runProcess({
    ...service,
    background: async (stopping) => {
      const once = () => clock.synchronise().then(() => true);
      await runPeriodically({ run: once, pauseMs: firstPauseMs, onError }, stopping);
      const repeated = { run: clock.synchronise, pauseMs: repeatMs, initialPauseMs: repeatMs };
      await Promise.all([
        runPeriodically({ ...repeated, onError }, stopping),
        background?.(stopping),
      ]);
    },
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
};

/** Reads the clock once, and goes on without it if that fails or takes too long. */
const readAtStart = async (clock: Database['clock']): Promise<void> => {
  const isOver = new AbortController();
  const reading = clock.synchronise().catch(() => undefined);
  await Promise.race([reading, pause(firstReadingMaxMs, isOver.signal)]);
  isOver.abort();
};
