import { describe, expect, it } from '@jest/globals';
import { createFairQueue } from './fair-queue.ts';

/** Runs tasks of three milliseconds in iterations of five. Returns their order, with `|` at the end of each iteration. */
const run = async (count: number): Promise<string> => {
  let nowMs = 0;
  const events: string[] = [];
  const { promise: done, resolve } = Promise.withResolvers<undefined>();
  const runFairly = createFairQueue(5, () => nowMs);
  const watch = () => {
    events.push('|');
    if (events.filter((event) => event !== '|').length < count) {
      setImmediate(watch);
    } else {
      resolve(undefined);
    }
  };
  for (let index = 0; index < count; index += 1) {
    // The time passes in deferred work, as with the write of a response.
    runFairly(() => {
      events.push(String(index));
      process.nextTick(() => (nowMs += 3));
    });
    await new Promise((next) => process.nextTick(next));
  }
  setImmediate(watch);
  await done;
  return events.join('');
};

describe('a fair queue', () => {
  it('runs what fits into an iteration at once', async () => {
    expect(await run(1)).toBe('0|');
  });

  it('leaves free iterations of the event loop between its own, and keeps the order', async () => {
    const order = await run(9);
    expect(order.replaceAll('|', '')).toBe('012345678');
    expect(order).toMatch(/\|{8}/);
    // Two tasks of three milliseconds use up an iteration of five.
    expect(
      order
        .split('|')
        .filter(Boolean)
        .slice(1)
        .every((iteration) => iteration.length <= 2),
    ).toBe(true);
    expect(order.split('|').filter(Boolean).length).toBeGreaterThanOrEqual(4);
  });

  it('continues after a task that is longer than an iteration', async () => {
    let nowMs = 0;
    const { promise: done, resolve } = Promise.withResolvers<string>();
    const runFairly = createFairQueue(5, () => nowMs);
    const ran: number[] = [];
    for (const index of [0, 1, 2]) {
      runFairly(() => {
        nowMs += 100;
        ran.push(index);
        if (index === 2) {
          resolve(ran.join(''));
        }
      });
    }
    expect(ran).toEqual([0]);
    expect(await done).toBe('012');
  });
});
