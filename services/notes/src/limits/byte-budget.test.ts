import { expect, it } from '@jest/globals';
import { createByteBudget } from './byte-budget.ts';

it('what is held at the same time never passes the budget, and all get their turn in order', async () => {
  const budget = createByteBudget(10);
  const begun: number[] = [];
  const work = (index: number) => async () => {
    begun.push(index);
    await new Promise(setImmediate);
    return budget.held();
  };
  const sizes = [4, 4, 4, 9, 1, 100, 2];
  const held = await Promise.all(sizes.map((bytes, index) => budget.hold(bytes, work(index))));
  expect(begun).toEqual(sizes.map((_, index) => index));
  expect(Math.max(...held)).toBeLessThanOrEqual(10);
  expect(budget.held()).toBe(0);
});

it('what fails gives back what it held', async () => {
  const budget = createByteBudget(1);
  await expect(budget.hold(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await budget.hold(1, async () => 'next')).toBe('next');
});
