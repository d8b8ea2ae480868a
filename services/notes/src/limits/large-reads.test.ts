import { expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createByteBudget } from './byte-budget.ts';
import { createHeavyWorkLimiter } from './heavy-work-limiter.ts';
import { limitedRead, budgetedRead, recheckedRead } from './large-reads.ts';

const companyA = companyId.parse(newId());
const companyB = companyId.parse(newId());
const mebibyte = 1024 * 1024;

it('one company reads one large note at a time, and another company reads beside it', async () => {
  const budget = createByteBudget(100 * mebibyte);
  const limit = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 500 });
  const readLarge = limitedRead(limit, budget.reserve);
  const { promise: blocked, resolve: finish } = Promise.withResolvers<void>();
  let [reading, readingMax, read] = [0, 0, 0];
  const all = Array.from({ length: 200 }, () =>
    readLarge(companyA, mebibyte, async () => {
      reading += 1;
      readingMax = Math.max(readingMax, reading);
      await blocked;
      reading -= 1;
      read += 1;
    }),
  );
  expect(await readLarge(companyB, mebibyte, async () => budget.reservedBytes())).toBe(
    4 * mebibyte,
  );
  expect(read).toBe(0);
  finish();
  await Promise.all(all);
  expect({ read, readingMax, reserved: budget.reservedBytes() }).toEqual({
    read: 200,
    readingMax: 1,
    reserved: 0,
  });
});

it('half a MiB does not wait for the budget', async () => {
  const budget = createByteBudget(2 * mebibyte);
  const readNow = budgetedRead(budget.reserve);
  const { promise: blocked, resolve: finish } = Promise.withResolvers<void>();
  const first = readNow(companyA, 2 * mebibyte, () => blocked);
  expect(await readNow(companyA, mebibyte / 2, async () => 'read')).toBe('read');
  finish();
  await first;
});

it('a caller who lost access while waiting reads nothing', async () => {
  const readNow = budgetedRead(createByteBudget(mebibyte).reserve);
  const readLarge = recheckedRead(readNow, () => Promise.reject(new Error('no longer')));
  let isRead = false;
  const read = async () => {
    isRead = true;
  };
  await expect(readLarge(companyA, 1, read)).rejects.toThrow('no longer');
  expect(isRead).toBe(false);
});
