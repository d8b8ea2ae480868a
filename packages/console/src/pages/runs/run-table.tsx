import { Table, Text } from '@mantine/core';
import { useCan } from '../../app/use-can.ts';
import { formatCents } from '../../components/format-cents.ts';
import { TextLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { CancelRun, type NamedRun } from './cancel-run.tsx';
import { RunDuration } from './run-duration.tsx';

/** Runs with their cost; running ones can be cancelled. */
export const RunTable = ({ runs }: { readonly runs: readonly NamedRun[] }) => (
  <Table.ScrollContainer minWidth={760}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Run</Table.Th>
          <Table.Th>Agent</Table.Th>
          <Table.Th>Outcome</Table.Th>
          <Table.Th>Trigger</Table.Th>
          <Table.Th>Started</Table.Th>
          <Table.Th>Duration</Table.Th>
          <Table.Th ta="right">Cost</Table.Th>
          <Table.Th aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const RunRow = ({ run }: { readonly run: NamedRun }) => {
  const { id, companyId, agentId, agentName, status, reason, startedAt } = run;
  const { reservedCents, costCents } = run;
  const can = useCan();
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink
          to="/companies/$companyId/runs/$runId"
          params={{ companyId, runId: id }}
          ff="monospace"
          size="sm"
          title={id}
          aria-label={`Run ${id.slice(-8)}`}
        >
          {id.slice(-8)}
        </TextLink>
      </Table.Td>
      <Table.Td>
        <TextLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId }}
          search={{ tab: 'runs' }}
        >
          {agentName}
        </TextLink>
      </Table.Td>
      <Table.Td maw={260}>
        <StatusBadge status={status} />
        {reason !== null && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{run.trigger}</Table.Td>
      <Table.Td>
        <RelativeTime at={startedAt} />
      </Table.Td>
      <Table.Td>
        <RunDuration run={run} />
      </Table.Td>
      <Table.Td ta="right">
        {costCents === null ? `${formatCents(reservedCents)} reserved` : formatCents(costCents)}
      </Table.Td>
      <Table.Td ta="right">{can.write && status === 'running' && <CancelRun run={run} />}</Table.Td>
    </Table.Tr>
  );
};
