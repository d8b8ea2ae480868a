import { describe, expect, it } from '@jest/globals';
import { sortRows } from './use-sorted-rows.ts';

type Row = { readonly name: string; readonly cost: number | null };

const rows: readonly Row[] = [
  { name: 'agent 10', cost: 5 },
  { name: 'Agent 2', cost: null },
  { name: 'agent 1', cost: 40 },
];
const columns = { name: (row: Row) => row.name, cost: (row: Row) => row.cost };
const names = (sorted: readonly Row[]) => sorted.map(({ name }) => name);

describe('the rows of a short list', () => {
  it('are sorted as people count, whatever the letter case', () => {
    expect(names(sortRows(rows, columns, { name: 'name', order: 'asc' }))).toEqual([
      'agent 1',
      'Agent 2',
      'agent 10',
    ]);
  });

  it('without a value come last in both directions', () => {
    for (const [order, expected] of [
      ['asc', ['agent 10', 'agent 1', 'Agent 2']],
      ['desc', ['agent 1', 'agent 10', 'Agent 2']],
    ] as const) {
      expect(names(sortRows(rows, columns, { name: 'cost', order }))).toEqual(expected);
    }
  });
});
