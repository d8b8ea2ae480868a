import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasureRestarted, Row } from './measurement.ts';
import { measureDisk } from './measurements/disk.ts';
import { footprintOf, memoryAfterLoad } from './measurements/footprint.ts';
import { measurements, measurementsOnRequest } from './measurements/index.ts';
import { profileOf, type Options } from './options.ts';
import { evaluate, lineOf } from './report.ts';
import { installProduct, removeProduct, startProduct } from './system/product.ts';
import { createEnvironment } from './system/environment.ts';

/** Names that `--only` takes. */
export const measurementNames: readonly string[] = [
  'start',
  ...[...measurements, ...measurementsOnRequest].map(({ name }) => name),
  'disk',
];

type Log = (line: string) => void;

/**
 * Runs the measurements one after the other. The product starts twice on a new data directory: a first
 * start, and a start with existing data, which then takes the load.
 */
export const runBench = async (options: Options, log: Log): Promise<readonly Row[]> => {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  const requested = measurementsOnRequest.filter(({ name }) => options.only.includes(name));
  const wanted = [...measurements.filter(({ name }) => isWanted(name)), ...requested];
  const rows: Row[] = [];
  if (isWanted('start') || wanted.length > 0) {
    const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
    await chmod(dataDir, 0o711);
    try {
      const plan = { dataDir, wanted, isStartWanted: isWanted('start') };
      rows.push(...(await measureProduct(options, plan, log)));
    } finally {
      await removeProduct(dataDir);
    }
  }
  if (isWanted('disk')) {
    log('disk');
    rows.push(...(await measureDisk()));
  }
  return rows;
};

type Plan = {
  readonly dataDir: string;
  readonly wanted: typeof measurements;
  readonly isStartWanted: boolean;
};

const measureProduct = async (options: Options, plan: Plan, log: Log): Promise<readonly Row[]> => {
  const profile = profileOf(options);
  const rows: Row[] = [];
  if (plan.isStartWanted) {
    log('start');
    await installProduct();
    const first = await startProduct(plan.dataDir);
    rows.push(...(await footprintOf(first, 'first', profile.settleSeconds)));
    await first.stop();
  }
  const product = await startProduct(plan.dataDir);
  const later: MeasureRestarted[] = [];
  const afterRestart = (measure: MeasureRestarted) => void later.push(measure);
  try {
    if (plan.isStartWanted) {
      rows.push(...(await footprintOf(product, 'again', profile.settleSeconds)));
    }
    const environment = plan.wanted.length > 0 ? await createEnvironment(product) : null;
    for (const { name, measure } of plan.wanted) {
      log(name);
      const bench = environment && { profile, product, environment, log, afterRestart };
      const measured = bench ? await measure(bench) : [];
      rows.push(...measured);
      // A later measurement may fail.
      measured.forEach((row) => log(lineOf(evaluate(row))));
    }
    if (environment) {
      rows.push(await memoryAfterLoad(product));
    }
  } finally {
    await product.stop();
  }
  return [...rows, ...(await measureRestarted(plan.dataDir, later))];
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
