import { Badge, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { recentRunsQuery } from '../../api/run-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** The latest runs of every agent. */
export const RunsPage = () => {
  const { data: runs, error, refetch } = useQuery(recentRunsQuery(useCompanyId()));
  return (
    <>
      <PageHeader title="Runs" description="The latest of every agent" />
      {error && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <PageSkeleton />}
      {runs?.length === 0 && <EmptyState icon={IconPlayerPlay} title="Nothing has run yet" />}
      {runs && runs.length > 0 && (
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Agent</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Started</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map(({ id, agentName, status, startedAt }) => (
              <Table.Tr key={id}>
                <Table.Td>{agentName}</Table.Td>
                <Table.Td>
                  <Badge variant="light">{status}</Badge>
                </Table.Td>
                <Table.Td>
                  <RelativeTime at={startedAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
};
