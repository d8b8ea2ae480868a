import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from './semaphore.ts';

/** Work that ends when it is told to. */
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
  it('runs no more than its number at once, the others in the order they came', async () => {
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

  it('turns away what finds the line full, and lets in again when there is room', async () => {
    const enter = createSemaphore(1, 1);
    const [first, second] = [controlled(), controlled()];
    const all = [Promise.resolve(enter(first.work)), Promise.resolve(enter(second.work))];
    expect(enter(controlled().work)).toBeNull();
    first.end();
    second.end();
    await Promise.all(all);
    expect(await enter(async () => 'in')).toBe('in');
  });

  it('frees the place of work that failed', async () => {
    const enter = createSemaphore(1, 0);
    await expect(enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await enter(async () => 'in')).toBe('in');
  });
});
