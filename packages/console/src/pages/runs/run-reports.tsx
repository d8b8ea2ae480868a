import { Badge, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { runReportsQuery } from '../../api/run-queries.ts';
import { useMoney } from '../../components/use-money.ts';
import { FailedLoad } from '../../components/failed-load.tsx';
import { LoadMoreButton } from '../../components/load-more-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

type RunReportsProps = { readonly run: Schema<'Run'> };

/** What a run reported to have used. */
export const RunReports = ({ run }: RunReportsProps) => {
  const query = useInfiniteQuery(runReportsQuery(run.companyId, run));
  if (query.isPending) {
    return <SectionSkeleton height={80} />;
  }
  if (query.data === undefined) {
    return <FailedLoad query={query} />;
  }
  const reports = query.data.pages.flatMap(({ items }) => items);
  if (reports.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        It has reported nothing.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <TableScroll label="What it used" minWidth={480}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reported</Table.Th>
              <Table.Th>Model</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
              <Table.Th ta="right">Tokens in</Table.Th>
              <Table.Th ta="right">Tokens out</Table.Th>
              <Table.Th>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reports.map((report) => (
              <ReportRow key={report.mutationId} report={report} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      <LoadMoreButton query={query} />
    </Stack>
  );
};

const integer = new Intl.NumberFormat();

const ReportRow = ({ report }: { readonly report: Schema<'UsageReport'> }) => {
  const { format } = useMoney();
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime at={report.at} />
      </Table.Td>
      <Table.Td>{report.model ?? ''}</Table.Td>
      <Table.Td ta="right">{report.costCents === null ? '' : format(report.costCents)}</Table.Td>
      <Table.Td ta="right">{integer.format(report.inputTokens)}</Table.Td>
      <Table.Td ta="right">{integer.format(report.outputTokens)}</Table.Td>
      <Table.Td>
        <Outcome outcome={report.outcome} />
      </Table.Td>
    </Table.Tr>
  );
};

const outcomes = {
  booked: 'booked',
  exceeded: 'exceeded the budget',
  refused: 'not booked',
} as const;

const Outcome = ({ outcome }: Pick<Schema<'UsageReport'>, 'outcome'>) =>
  outcome === 'booked' ? (
    <>{outcomes.booked}</>
  ) : (
    <Badge color="red" variant="light">
      {outcomes[outcome]}
    </Badge>
  );
