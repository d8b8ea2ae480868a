import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './measurement.ts';
import { measureDisk } from './measurements/disk.ts';
import { footprintOf } from './measurements/footprint.ts';
import { measurements, measurementsOnRequest } from './measurements/index.ts';
import { effortOf, type Options } from './options.ts';
import { removeProduct, startProduct } from './system/product.ts';
import { makeWorld } from './system/world.ts';

/** Names that `--only` takes. */
export const measurementNames: readonly string[] = [
  'start',
  ...[...measurements, ...measurementsOnRequest].map(({ name }) => name),
  'disk',
];

type Log = (line: string) => void;

/**
 * Measures, one after the other. The product is started twice on a data directory of its own, as the
 * first start and as one that finds its data; the second one carries the load.
 */
export const runBench = async (options: Options, log: Log): Promise<readonly Row[]> => {
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  const asked = measurementsOnRequest.filter(({ name }) => options.only.includes(name));
  const wanted = [...measurements.filter(({ name }) => isWanted(name)), ...asked];
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
  const effort = effortOf(options);
  const rows: Row[] = [];
  if (plan.isStartWanted) {
    log('start');
    const first = await startProduct(plan.dataDir);
    rows.push(...(await footprintOf(first, 'first', effort.settleSeconds)));
    await first.stop();
  }
  const product = await startProduct(plan.dataDir);
  try {
    if (plan.isStartWanted) {
      rows.push(...(await footprintOf(product, 'again', effort.settleSeconds)));
    }
    const world = plan.wanted.length > 0 ? await makeWorld(product) : null;
    for (const { name, measure } of plan.wanted) {
      log(name);
      rows.push(...(world ? await measure({ effort, product, world, log }) : []));
    }
    if (world) {
      const value = product.memory();
      rows.push({
        name: 'memory (PSS) after the load',
        unit: 'MB',
        value,
        limit: null,
        reach: null,
      });
    }
  } finally {
    await product.stop();
  }
  return rows;
};
