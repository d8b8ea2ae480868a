import { expect, test } from '@jest/globals';
import { createLimiter } from './limiter.ts';

const limiter = (waitMaxMs = 10_000) =>
  createLimiter({ runningMax: 2, waitMaxMs, rejection: () => new Error('busy') });

test('no more tasks run at once than allowed, and all run in the end', async () => {
  const run = limiter();
  let running = 0;
  let most = 0;
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => run(task)));
  expect([most, running]).toEqual([2, 0]);
});

test('a task that waits too long is rejected, and no slot is lost', async () => {
  const run = limiter(30);
  const long = () => new Promise<string>((resolve) => setTimeout(resolve, 60, 'done'));
  const both = [run(long), run(long)];
  await expect(run(long)).rejects.toThrow('busy');
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  expect(await Promise.all([run(long), run(long)])).toEqual(['done', 'done']);
});

test('tasks wait in arrival order', async () => {
  const run = createLimiter({ runningMax: 1, rejection: () => new Error('busy') });
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((number) => run(async () => void order.push(number))));
  expect(order).toEqual([1, 2, 3]);
});

test('a full queue rejects at once, and accepts again when it has room', async () => {
  const run = createLimiter({ runningMax: 1, waitingMax: 1, rejection: () => new Error('busy') });
  const { promise, resolve } = Promise.withResolvers<string>();
  const both = [run(() => promise), run(async () => 'second')];
  await expect(run(async () => 'third')).rejects.toThrow('busy');
  resolve('first');
  expect(await Promise.all(both)).toEqual(['first', 'second']);
  expect(await run(async () => 'fourth')).toBe('fourth');
});

test('a failed task releases its slot', async () => {
  const run = limiter();
  const fail = () => Promise.reject(new Error('failed'));
  await Promise.allSettled([run(fail), run(fail), run(fail)]);
  expect(await run(async () => 'admitted')).toBe('admitted');
});
