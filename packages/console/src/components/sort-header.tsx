import { Table, UnstyledButton, type TableThProps } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import classes from './sort-header.module.css';

export type SortOrder = 'asc' | 'desc';

type SortHeaderProps = TableThProps & {
  readonly children: string;
  /** The order of the rows, if they are sorted by this column. */
  readonly order: SortOrder | null;
  readonly onSort: () => void;
};

/** The header of a column; its button sorts the rows by it, and reverses them when pressed again. */
export const SortHeader = ({ children, order, onSort, ...props }: SortHeaderProps) => {
  const OrderIcon = order === null ? IconArrowsSort : order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th {...props} aria-sort={ariaSort(order)}>
      <UnstyledButton className={classes['button']} data-sorted={order !== null} onClick={onSort}>
        {children}
        <OrderIcon size={14} aria-hidden className={classes['icon']} />
      </UnstyledButton>
    </Table.Th>
  );
};

const ariaSort = (order: SortOrder | null) =>
  order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending';
