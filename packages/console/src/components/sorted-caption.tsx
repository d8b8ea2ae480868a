import { Table } from '@mantine/core';

type SortedCaptionProps = { readonly isSorted: boolean; readonly hasMore: boolean };

/** Says so where only the loaded part of a list is sorted. */
export const SortedCaption = ({ isSorted, hasMore }: SortedCaptionProps) =>
  isSorted && hasMore ? <Table.Caption>Sorted among the rows loaded so far.</Table.Caption> : null;
