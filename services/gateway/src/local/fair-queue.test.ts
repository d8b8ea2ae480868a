import { describe, expect, it } from '@jest/globals';
import { createFairQueue } from './fair-queue.ts';

/** Runs tasks that take three milliseconds each, in turns of five; what ran when, with the ends of turns. */
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
    // What takes its time is put off, as a response puts off its write.
    runFairly(() => {
      events.push(String(index));
      process.nextTick(() => (nowMs += 3));
    });
    await new Promise((goOn) => process.nextTick(goOn));
  }
  setImmediate(watch);
  await done;
  return events.join('');
};

describe('a fair queue', () => {
  it('runs what fits into a turn at once', async () => {
    expect(await run(1)).toBe('0|');
  });

  it('lets others have the event loop between turns, and keeps the order', async () => {
    const order = await run(9);
    expect(order.replaceAll('|', '')).toBe('012345678');
    // Two of three milliseconds use up a turn of five.
    expect(
      order
        .split('|')
        .filter(Boolean)
        .slice(1)
        .every((turn) => turn.length <= 2),
    ).toBe(true);
    expect(order.split('|').filter(Boolean).length).toBeGreaterThanOrEqual(4);
  });

  it('goes on when a task is longer than a turn', async () => {
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
