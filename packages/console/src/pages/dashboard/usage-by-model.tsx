import { Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { usageFile, usageQuery, type DayRange } from '../../api/usage-queries.ts';
import { useMoney } from '../../components/use-money.ts';
import { FailedLoad } from '../../components/failed-load.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { CsvLink } from './usage-charts.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

type UsageByModelProps = { readonly companyId: string; readonly days: DayRange };

/** What runs reported in the range, by model. */
export const UsageByModel = ({ companyId, days }: UsageByModelProps) => {
  const query = useQuery(usageQuery(companyId, days, 'model'));
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <SectionTitle>Usage by model</SectionTitle>
          <CsvLink href={usageFile(companyId, days, 'model')} label="Usage by model as CSV" />
        </Group>
        <FailedLoad query={query} />
        {query.isPending && <SectionSkeleton height={200} />}
        {query.data && <Models usage={query.data} />}
      </Stack>
    </Paper>
  );
};

const Models = ({ usage: { items, others } }: { readonly usage: Schema<'Usage'> }) => {
  if (items.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No run has reported what it used in this range.
      </Text>
    );
  }
  return (
    <TableScroll label="Usage by model" minWidth={340}>
      <Table verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Model</Table.Th>
            <Table.Th ta="right">Reported cost</Table.Th>
            <Table.Th ta="right">Tokens in</Table.Th>
            <Table.Th ta="right">Tokens out</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.model ?? ''}>
              <RowHeader>{item.model ?? 'no model'}</RowHeader>
              <Amounts used={item} />
            </Table.Tr>
          ))}
          {others && (
            <Table.Tr>
              <RowHeader>{others.models} more models</RowHeader>
              <Amounts used={others} />
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
};

type Used = Pick<Schema<'UsageItem'>, 'costCents' | 'inputTokens' | 'outputTokens'>;

const integer = new Intl.NumberFormat();

const Amounts = ({ used }: { readonly used: Used }) => {
  const { format } = useMoney();
  return (
    <>
      <Table.Td ta="right">{format(used.costCents)}</Table.Td>
      <Table.Td ta="right">{integer.format(used.inputTokens)}</Table.Td>
      <Table.Td ta="right">{integer.format(used.outputTokens)}</Table.Td>
    </>
  );
};
