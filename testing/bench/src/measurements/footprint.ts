import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../measurement.ts';
import { memoryByProcess } from '../soak/memory-by-process.ts';
import { processorTimeOf } from '../system/proc.ts';
import type { Product } from '../system/product.ts';

/** Paperclip on a comparable machine: first start, second start, and 252 MB of its server with 77 MB of PostgreSQL. */
const recorded = { readyMs: { first: 6_100, again: 4_200 }, memoryMegabytes: 329 } as const;
const targets = {
  readyMs: { first: 4_000, again: 2_000 },
  memoryMegabytes: { first: 330, again: 300, afterLoad: 650 },
} as const;

/** Time to ready, and memory of the idle product. */
export const footprintOf = async (
  product: Product,
  when: 'first' | 'again',
  settleSeconds: number,
): Promise<readonly Row[]> => {
  await sleep(settleSeconds * 1000);
  const name = when === 'first' ? 'first start' : 'started again';
  return [
    {
      name: `supervisor start to ready, ${name}`,
      unit: 'ms',
      value: product.readyMs,
      baseline: recorded.readyMs[when],
      isBaselineRecorded: true,
      target: { of: 'value', is: 'at most', bound: targets.readyMs[when] },
    },
    {
      name: `idle memory (PSS), ${name}`,
      unit: 'MB',
      value: product.memory(),
      baseline: recorded.memoryMegabytes,
      isBaselineRecorded: true,
      target: { of: 'value', is: 'at most', bound: targets.memoryMegabytes[when] },
    },
  ];
};

/** Notes are still indexed after the load. */
const workMaxMs = 180_000;
const stepMs = 2_000;
/** Share of a processor that the services of an idle product use. */
const idleShare = 0.05;

/** Waits until the product has done what the load left to do. Returns the seconds it took. */
const untilIdle = async ({ services }: Product): Promise<number> => {
  const startedAt = performance.now();
  const usedUs = () =>
    Object.values(services).reduce((sum, { pid }) => sum + processorTimeOf(pid), 0);
  for (let before = usedUs(); performance.now() - startedAt < workMaxMs;) {
    await sleep(stepMs);
    const now = usedUs();
    if (now - before < idleShare * stepMs * 1_000) {
      break;
    }
    before = now;
  }
  return Math.round((performance.now() - startedAt) / 1_000);
};

/** Memory that the product keeps after the load of all measurements. */
export const memoryAfterLoad = async (product: Product, settleSeconds: number): Promise<Row> => {
  const atOnce = product.memory();
  const workSeconds = await untilIdle(product);
  await sleep(settleSeconds * 1000);
  const parts = Object.entries(memoryByProcess(product.pid)).map(([name, megabytes]) => {
    return `${name} ${megabytes} MB`;
  });
  return {
    name: 'memory (PSS) after the load',
    unit: 'MB',
    value: product.memory(),
    baseline: null,
    target: { of: 'value', is: 'at most', bound: targets.memoryMegabytes.afterLoad },
    note: `${atOnce} MB at once; the measured one ${settleSeconds} s after the work that the load left, which took ${workSeconds} s; of it, without programs: ${parts.join(', ')}`,
  };
};
