import type { Schema } from '@commonplace/client';
import { Group, Table, Text } from '@mantine/core';
import { useCan } from '../../app/session/use-can.ts';
import { useMoney } from '../../components/use-money.ts';
import { NameLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { describeRunCost } from '../../components/run-cost.ts';
import { runReason } from '../../components/run-reason.ts';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { PauseButton } from '../agents/pause-button.tsx';
import { CancelRun, type NamedRun } from './cancel-run.tsx';
import { RunDuration } from './run-duration.tsx';
import { RunLink } from './run-link.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

type Agent = Schema<'Agent'>;

type RunTableProps = {
  readonly runs: readonly NamedRun[];
  readonly hasMore: boolean;
  /** Of the runs of several agents: an agent, to pause it. */
  readonly agentOf?: (agentId: string) => Agent | undefined;
};

type Column = 'agent' | 'outcome' | 'trigger' | 'started' | 'duration' | 'cost';

const columns: SortColumns<NamedRun, Column> = {
  agent: ({ agentName }) => agentName,
  outcome: ({ status }) => status,
  trigger: ({ trigger }) => trigger,
  started: ({ startedAt }) => startedAt,
  duration: ({ startedAt, finishedAt }) =>
    finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
  cost: ({ costCents }) => costCents,
};

/** Runs with their cost; running ones can be cancelled, and the agents of these and of failed ones paused. */
export const RunTable = ({ runs, hasMore, agentOf }: RunTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(runs, columns);
  return (
    <TableScroll label="Runs" minWidth={760}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Run</Table.Th>
            <SortHeader {...headerOf('agent')}>Agent</SortHeader>
            <SortHeader {...headerOf('outcome')}>Outcome</SortHeader>
            <SortHeader {...headerOf('trigger')}>Trigger</SortHeader>
            <SortHeader {...headerOf('started')}>Started</SortHeader>
            <SortHeader {...headerOf('duration')}>Duration</SortHeader>
            <SortHeader ta="right" {...headerOf('cost')}>
              Cost
            </SortHeader>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((run) => (
            <RunRow key={run.id} run={run} agent={agentOf?.(run.agentId)} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

type RunRowProps = { readonly run: NamedRun; readonly agent: Agent | undefined };

const RunRow = ({ run, agent }: RunRowProps) => {
  const { companyId, agentId, agentName, status, startedAt } = run;
  const can = useCan();
  const { format } = useMoney();
  return (
    <Table.Tr>
      <RowHeader>
        <RunLink run={run} />
      </RowHeader>
      <Table.Td>
        <NameLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId }}
          search={{ tab: 'runs' }}
          name={agentName}
        />
      </Table.Td>
      <Table.Td maw={260}>
        <Outcome run={run} />
      </Table.Td>
      <Table.Td>{run.trigger}</Table.Td>
      <Table.Td>
        <RelativeTime at={startedAt} />
      </Table.Td>
      <Table.Td>
        <RunDuration run={run} />
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {describeRunCost(run, format)}
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {(status === 'running' || status === 'failed') && <PauseButton agent={agent} isInRow />}
          {can.write && status === 'running' && <CancelRun run={run} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
};

const Outcome = ({ run }: { readonly run: NamedRun }) => {
  const reason = runReason(run);
  return (
    <>
      <StatusBadge status={run.status} />
      {reason !== null && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {reason}
        </Text>
      )}
    </>
  );
};
