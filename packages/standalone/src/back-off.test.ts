import { expect, test } from '@jest/globals';
import { backOffMs } from './back-off.ts';

test('the wait doubles from 0.1 s and never passes 10 s', () => {
  const waits = [1, 2, 3, 4, 8, 100].map(backOffMs);
  expect(waits).toEqual([100, 200, 400, 800, 10_000, 10_000]);
});
