import { expect, it } from '@jest/globals';
import { createStoredBudget } from './stored-budget.ts';

it('concurrent reservations never exceed the budget, and are admitted in arrival order', async () => {
  const budget = createStoredBudget(10);
  const started: number[] = [];
  const work = (index: number) => async () => {
    started.push(index);
    await new Promise(setImmediate);
    return budget.reservedBytes();
  };
  const sizes = [4, 4, 4, 9, 1, 100, 2];
  const reserved = await Promise.all(
    sizes.map((bytes, index) => budget.reserve(bytes, work(index))),
  );
  expect(started).toEqual(sizes.map((_, index) => index));
  expect(Math.max(...reserved)).toBeLessThanOrEqual(10);
  expect(budget.reservedBytes()).toBe(0);
});

it('work that fails frees its reservation', async () => {
  const budget = createStoredBudget(1);
  await expect(budget.reserve(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await budget.reserve(1, async () => 'next')).toBe('next');
});
