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

test('a failed task releases its slot', async () => {
  const run = limiter();
  const fail = () => Promise.reject(new Error('failed'));
  await Promise.allSettled([run(fail), run(fail), run(fail)]);
  expect(await run(async () => 'admitted')).toBe('admitted');
});
