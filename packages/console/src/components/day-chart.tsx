import { Button, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { DayBars } from './day-bars.tsx';
import type { DayBarsProps } from './day-bars-props.ts';
import { FailedLoad } from './failed-load.tsx';
import { TableScroll } from './table-scroll.tsx';
import { SectionTitle } from './section-title.tsx';

type DayChartProps<Data> = {
  readonly title: string;
  readonly query: UseQueryResult<Data>;
  readonly chart: (data: Data) => DayBarsProps;
  /** Shown next to the title, for example a link to the file. */
  readonly actions?: React.ReactNode;
};

/** A section with bars by day, or the same as a table. */
export const DayChart = <Data,>({ title, query, chart, actions }: DayChartProps<Data>) => {
  const [isTable, setIsTable] = useState(false);
  const { data } = query;
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <SectionTitle>{title}</SectionTitle>
          <Group gap="xs">
            {actions}
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${title} as a table`}
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
            >
              Table
            </Button>
          </Group>
        </Group>
        <FailedLoad query={query} />
        {query.isPending && (
          <>
            <Text size="sm">&nbsp;</Text>
            <Skeleton height={200} role="status" aria-label="Loading" />
          </>
        )}
        {data !== undefined &&
          (isTable ? <DayTable title={title} {...chart(data)} /> : <Bars {...chart(data)} />)}
      </Stack>
    </Paper>
  );
};

const Bars = (props: DayBarsProps) => (
  <>
    {/* The chart has it as its name. */}
    <Text size="sm" c="dimmed" aria-hidden={hasValues(props)}>
      {props.label}
    </Text>
    {hasValues(props) ? <DayBars {...props} /> : <Text size="sm">Nothing in these days.</Text>}
  </>
);

/** A limit is a line across the days. */
const hasValues = ({ rows, limit = 0 }: DayBarsProps): boolean =>
  limit > 0 || rows.some(({ values }) => Object.values(values).some((value) => (value ?? 0) > 0));

type DayTableProps = DayBarsProps & { readonly title: string };

/** Newest day first, without days on which nothing happened. */
const DayTable = ({ title, label, rows, series, format }: DayTableProps) => {
  const filled = rows
    .toReversed()
    .filter(({ values }) => Object.values(values).some((v) => v !== 0));
  return (
    <TableScroll label={title} minWidth={260} maxHeight={236} isStackedOnPhone={false}>
      <Table stickyHeader>
        <Table.Caption>{label}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            {series.map((each) => (
              <Table.Th key={each.name} ta="right">
                {each.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {filled.map(({ day, values }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">{day}</Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {typeof values[name] === 'number' ? format(values[name]) : 'not counted'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
};
