import { useMemo, useState } from 'react';
import type { SortOrder } from './sort-header.tsx';

/** What rows are sorted by, by the name of the column; rows without a value come last. */
export type SortColumns<Row, Name extends string> = Readonly<
  Record<Name, (row: Row) => string | number | null>
>;

type Sort<Name> = { readonly name: Name; readonly order: SortOrder };

/** Sorts the loaded rows of a short list. The third press on a header returns to the order of the server. */
export const useSortedRows = <Row, Name extends string>(
  rows: readonly Row[],
  columns: SortColumns<Row, Name>,
) => {
  const [sort, setSort] = useState<Sort<Name> | null>(null);
  const sorted = useMemo(
    () => (sort ? sortRows(rows, columns, sort) : rows),
    [rows, columns, sort],
  );
  return {
    rows: sorted,
    isSorted: sort !== null,
    /** The properties of a column's `SortHeader`. */
    headerOf: (name: Name) => {
      const order = sort?.name === name ? sort.order : null;
      return { order, onSort: () => setSort(after(name, order)) };
    },
  };
};

const after = <Name>(name: Name, order: SortOrder | null): Sort<Name> | null =>
  order === 'desc' ? null : { name, order: order === null ? 'asc' : 'desc' };

/** Sorts rows by a column, equal ones as they were. */
export const sortRows = <Row, Name extends string>(
  rows: readonly Row[],
  columns: SortColumns<Row, Name>,
  { name, order }: Sort<Name>,
): readonly Row[] => {
  const { compare } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });
  const sign = order === 'asc' ? 1 : -1;
  return rows
    .map((row) => ({ row, value: columns[name](row) }))
    .toSorted(({ value: one }, { value: other }) => {
      if (one === null || other === null) {
        return Number(one === null) - Number(other === null);
      }
      return typeof one === 'number' && typeof other === 'number'
        ? sign * (one - other)
        : sign * compare(String(one), String(other));
    })
    .map(({ row }) => row);
};
