import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, MeasureRestarted, Row } from './measurement.ts';
import { measureDisk } from './measurements/disk.ts';
import { footprintOf, memoryAfterLoad } from './measurements/footprint.ts';
import { measurements, measurementsOnRequest } from './measurements/index.ts';
import type { Options } from './options.ts';
import { planOf, type Plan } from './plan.ts';
import { evaluate, lineOf } from './report.ts';
import { endIdleTasks } from './run-child.ts';
import { installProduct, removeProduct, startProduct } from './system/product.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import { createEnvironment } from './system/environment.ts';

/** Names that `--only` takes. */
export const measurementNames: readonly string[] = [
  'start',
  ...[...measurements, ...measurementsOnRequest].map(({ name }) => name),
  'disk',
];

type Log = (line: string) => void;

/** What a run measured, and the seconds that its parts took, in order. */
export type BenchResult = {
  readonly rows: readonly Row[];
  readonly seconds: ReadonlyMap<string, number>;
};

/**
 * Runs the measurements one after the other. The product starts twice on a new data directory: a first
 * start, and a start with existing data, which then takes the load.
 */
export const runBench = async (options: Options, log: Log): Promise<BenchResult> => {
  const plan = planOf(options, { regular: measurements, onRequest: measurementsOnRequest });
  const stopwatch = createStopwatch();
  const rows: Row[] = [];
  if (plan.isStartWanted || plan.wanted.length > 0) {
    const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
    await chmod(dataDir, 0o711);
    try {
      rows.push(...(await measureProduct({ ...plan, dataDir }, { stopwatch, log })));
    } finally {
      await removeProduct(dataDir);
    }
  }
  if (plan.isDiskWanted && plan.wanted.length === 0) {
    log('disk');
    rows.push(...(await measureDisk()));
    stopwatch.lap('disk');
  }
  return { rows, seconds: stopwatch.seconds };
};

type Reporting = { readonly stopwatch: Stopwatch; readonly log: Log };

const measureProduct = async (
  { dataDir, ...plan }: Plan & { readonly dataDir: string },
  reporting: Reporting,
): Promise<readonly Row[]> => {
  const { stopwatch, log } = reporting;
  const rows: Row[] = [];
  if (plan.isStartWanted) {
    log('start');
    await installProduct();
    const first = await startProduct(dataDir);
    rows.push(...(await footprintOf(first, 'first', plan.settleSeconds)));
    await first.stop();
  }
  const product = await startProduct(dataDir);
  const later: MeasureRestarted[] = [];
  try {
    if (plan.isStartWanted) {
      rows.push(...(await footprintOf(product, 'again', plan.settleSeconds)));
    }
    const afterRestart = (measure: MeasureRestarted) => void later.push(measure);
    rows.push(...(await measureWanted({ product, afterRestart }, plan, reporting)));
    if (plan.wanted.length > 0) {
      log(plan.isDiskWanted ? 'memory after the load, disk meanwhile' : 'memory after the load');
      const meanwhile = plan.isDiskWanted ? measureDisk : () => Promise.resolve([]);
      rows.push(...(await memoryAfterLoad(product, meanwhile)));
      stopwatch.lap(plan.isDiskWanted ? 'rest and disk' : 'rest');
    }
  } finally {
    await product.stop();
  }
  rows.push(...(await measureRestarted(dataDir, later)));
  if (later.length > 0) {
    stopwatch.lap('after restart');
  }
  return rows;
};

const measureWanted = async (
  running: Pick<Bench, 'product' | 'afterRestart'>,
  { wanted }: Plan,
  { stopwatch, log }: Reporting,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  if (wanted.length === 0) {
    stopwatch.lap('start');
    return rows;
  }
  const environment = await createEnvironment(running.product);
  stopwatch.lap('start');
  for (const { measurement, profile } of wanted) {
    log(measurement.name);
    const measured = await measurement.measure({ ...running, profile, environment, log });
    endIdleTasks();
    stopwatch.lap(measurement.name);
    rows.push(...measured);
    // A later measurement may fail.
    measured.forEach((row) => log(lineOf(evaluate(row))));
  }
  return rows;
};

const measureRestarted = async (
  dataDir: string,
  later: readonly MeasureRestarted[],
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const measure of later) {
    const product = await startProduct(dataDir);
    try {
      rows.push(...(await measure(product)));
    } finally {
      await product.stop();
    }
  }
  return rows;
};
