import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../measurement.ts';
import type { Product } from '../system/product.ts';

/** Paperclip on a machine of this kind: start, again, and 252 MB of its server with 77 MB of PostgreSQL. */
const recorded = { readyMs: { first: 6_100, again: 4_200 }, memoryMegabytes: 329 } as const;
const reached = {
  readyMs: { first: 4_000, again: 2_000 },
  memoryMegabytes: { first: 330, again: 300 },
} as const;

/** How long the product took to be ready, and what it holds when nobody asks it anything. */
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
      limit: recorded.readyMs[when],
      isLimitRecorded: true,
      reach: { of: 'value', is: 'at most', bound: reached.readyMs[when] },
    },
    {
      name: `idle memory (PSS), ${name}`,
      unit: 'MB',
      value: product.memory(),
      limit: recorded.memoryMegabytes,
      isLimitRecorded: true,
      reach: { of: 'value', is: 'at most', bound: reached.memoryMegabytes[when] },
    },
  ];
};
