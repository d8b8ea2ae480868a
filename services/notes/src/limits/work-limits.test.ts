import { expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createStoredBudget } from './stored-budget.ts';
import { budgetedReader, createWorkLimits } from './work-limits.ts';

const companyA = companyId.parse(newId());
const companyB = companyId.parse(newId());
const mebibyte = 1024 * 1024;

it('one company reads one large note at a time, and another company reads beside it', async () => {
  const budget = createStoredBudget(100 * mebibyte);
  const { read: readLarge } = createWorkLimits({
    heavyWork: { runningMax: 1, waitingMax: 1 },
    largeReads: { runningMax: 1, waitingMax: 500 },
    reserveBytes: budget.reserve,
  });
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
  const budget = createStoredBudget(2 * mebibyte);
  const { read: readNow } = budgetedReader(budget.reserve);
  const { promise: blocked, resolve: finish } = Promise.withResolvers<void>();
  const first = readNow(2 * mebibyte, () => blocked);
  expect(await readNow(mebibyte / 2, async () => 'read')).toBe('read');
  finish();
  await first;
});
