import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../measurement.ts';
import { memoryByProcess } from '../soak/memory-by-process.ts';
import type { Product } from '../system/product.ts';

/** Paperclip on a comparable machine: first start, second start, and 252 MB of its server with 77 MB of PostgreSQL. */
const recorded = { readyMs: { first: 6_100, again: 4_200 }, memoryMegabytes: 329 } as const;
const targets = {
  readyMs: { first: 3_500, again: 1_800 },
  memoryMegabytes: { first: 330, again: 260, afterLoad: 550 },
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

/** What the load left to do, such as indexing, and collections of idle processes are done by then. */
const restSeconds = 60;

/**
 * Memory that the product keeps after the load of all measurements, and the rows of what is measured `meanwhile` without the
 * product. The memory is read when that has ended, because its processes would share memory with the product.
 */
export const memoryAfterLoad = async (
  product: Product,
  meanwhile: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const atOnce = product.memory();
  const [rows] = await Promise.all([meanwhile(), sleep(restSeconds * 1_000)]);
  const parts = Object.entries(memoryByProcess(product.pid)).map(([name, megabytes]) => {
    return `${name} ${megabytes} MB`;
  });
  const memory: Row = {
    name: `memory (PSS) ${restSeconds} s after the load`,
    unit: 'MB',
    value: product.memory(),
    baseline: null,
    target: { of: 'value', is: 'at most', bound: targets.memoryMegabytes.afterLoad },
    note: `${atOnce} MB at once; of the measured one, without programs: ${parts.join(', ')}`,
  };
  return [memory, ...rows];
};
