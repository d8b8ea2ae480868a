import { Table, type TableThProps } from '@mantine/core';

/** The cell that says what a row is about; screen readers say it with the other cells. */
export const RowHeader = (props: TableThProps) => <Table.Th scope="row" fw={400} {...props} />;
