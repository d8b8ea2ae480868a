import { Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { syncJobsQuery } from '../../api/sync-job-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Name } from '../../components/name.tsx';
import { nameOfAuthor } from '../../components/name-of-author.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

/** The background synchronisations of the company, newest first. */
export const SyncJobList = () => (
  <ListBody
    query={useInfiniteQuery(syncJobsQuery(useCompanyId()))}
    found={{ noun: 'sync job' }}
    empty={
      <EmptyState icon={IconRefresh} title="No sync jobs">
        Clients order them for large synchronisations. They are kept for 7 days.
      </EmptyState>
    }
  >
    {(jobs) => (
      <TableScroll label="Sync jobs" minWidth={560}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Job</Table.Th>
              <Table.Th>Ordered by</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Changes</Table.Th>
              <Table.Th>Time</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {jobs.map((job) => (
              <JobRow key={job.jobId} job={job} />
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    )}
  </ListBody>
);

const JobRow = ({ job }: { readonly job: Schema<'SyncJobSummary'> }) => {
  const { jobId, status, progress, error, createdBy, clientId, createdAt } = job;
  return (
    <Table.Tr>
      <RowHeader>
        <TextLink
          to="."
          search={{ job: jobId }}
          ff="monospace"
          size="sm"
          title={jobId}
          aria-label={`Job ${jobId.slice(-8)}`}
        >
          {jobId.slice(-8)}
        </TextLink>
      </RowHeader>
      <Table.Td maw={260}>
        <Name>{nameOfAuthor(createdBy)}</Name>
        {clientId !== null && (
          <Text size="sm" c="dimmed" truncate title={clientId}>
            {clientId}
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={260}>
        <StatusBadge status={status} />
        {error && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {error.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {progress.done} of {progress.total}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
};
