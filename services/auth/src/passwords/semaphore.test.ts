import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from './semaphore.ts';

/** Work that ends on demand. */
const controlled = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRunning = false;
  const work = async () => {
    isRunning = true;
    await promise;
    isRunning = false;
  };
  return { work, end: resolve, isRunning: () => isRunning };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('semaphore', () => {
  it('limits concurrent work and runs the rest in arrival order', async () => {
    const enter = createSemaphore(1, 2);
    const [first, second, third] = [controlled(), controlled(), controlled()];
    const all = [first, second, third].map(({ work }) => Promise.resolve(enter(work)));
    await settle();
    expect([first, second, third].map((one) => one.isRunning())).toEqual([true, false, false]);
    first.end();
    await settle();
    expect([first, second, third].map((one) => one.isRunning())).toEqual([false, true, false]);
    second.end();
    third.end();
    await Promise.all(all);
  });

  it('rejects work while the queue is full, and accepts again later', async () => {
    const enter = createSemaphore(1, 1);
    const [first, second] = [controlled(), controlled()];
    const all = [Promise.resolve(enter(first.work)), Promise.resolve(enter(second.work))];
    expect(enter(controlled().work)).toBeNull();
    first.end();
    second.end();
    await Promise.all(all);
    expect(await enter(async () => 'in')).toBe('in');
  });

  it('releases the slot of failed work', async () => {
    const enter = createSemaphore(1, 0);
    await expect(enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await enter(async () => 'in')).toBe('in');
  });
});
