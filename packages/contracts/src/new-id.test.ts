import { afterEach, expect, jest, test } from '@jest/globals';
import { newId } from './new-id.ts';

afterEach(() => void jest.restoreAllMocks());

test('ids sort by their making, within a millisecond and when the clock falls back by a day', () => {
  const hours = (count: number) => count * 3_600_000;
  const startedAt = Date.now();
  const now = jest.spyOn(Date, 'now');
  const ids = [0, hours(1), -hours(23), 0, hours(2)].flatMap((offset) => {
    now.mockReturnValue(startedAt + offset);
    return Array.from({ length: 1_000 }, newId);
  });
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids are UUIDs of version 7', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
