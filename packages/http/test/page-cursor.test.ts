import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { pageCursor } from '../src/index.ts';

const cursor = pageCursor('things', z.tuple([z.iso.datetime(), z.string()]));
const rows = [1, 2, 3].map((number) => ({
  at: `2026-01-0${number}T00:00:00.000Z`,
  id: `id-${number}`,
}));
const positionOf = (row: { at: string; id: string }): [string, string] => [row.at, row.id];

describe('a page', () => {
  it('ends at the limit and leads to the row behind its last one', () => {
    const query = { limit: 2, status: 'active' };
    const { items, nextCursor } = cursor.page(query, rows, positionOf);
    expect(items).toEqual(rows.slice(0, 2));
    expect(cursor.read({ ...query, cursor: nextCursor ?? '' })).toEqual(
      rows.slice(1, 2).map(positionOf)[0],
    );
  });

  it('leads nowhere when no row is left', () => {
    expect(cursor.page({ limit: 3 }, rows, positionOf).nextCursor).toBeNull();
    expect(cursor.page({ limit: 3 }, [], positionOf).nextCursor).toBeNull();
  });
});

describe('a cursor', () => {
  const { nextCursor } = cursor.page({ limit: 1, status: 'active' }, rows, positionOf);
  const good = nextCursor ?? '';

  it('may be used with another limit', () => {
    expect(cursor.read({ limit: 7, status: 'active', cursor: good })).not.toBeNull();
  });

  it.each([
    ['garbage', { limit: 1, status: 'active', cursor: 'garbage' }],
    ['cut off', { limit: 1, status: 'active', cursor: good.slice(0, -4) }],
    ['of other filters', { limit: 1, status: 'paused', cursor: good }],
    ['of fewer filters', { limit: 1, cursor: good }],
  ])('that is %s is 400 and names the parameter', (_what, query) => {
    expect(() => cursor.read(query)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ path: '/cursor' })],
      }),
    );
  });

  it('of another list is rejected, and so is a position of another form', () => {
    const query = { limit: 1, status: 'active', cursor: good };
    expect(() => pageCursor('others', z.unknown()).read(query)).toThrow('The query is not valid.');
    expect(() => pageCursor('things', z.number()).read(query)).toThrow('The query is not valid.');
  });
});
