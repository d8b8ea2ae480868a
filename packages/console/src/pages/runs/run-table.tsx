import { Button, Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { useCan } from '../../app/use-can.ts';
import { confirm } from '../../components/confirm.tsx';
import { formatCents } from '../../components/format-cents.ts';
import { TextLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

type NamedRun = Schema<'Run'> & { readonly agentName: string };

/** Runs with their cost; running ones can be cancelled. */
export const RunTable = ({ runs }: { readonly runs: readonly NamedRun[] }) => (
  <Table.ScrollContainer minWidth={620}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Agent</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Trigger</Table.Th>
          <Table.Th>Started</Table.Th>
          <Table.Th>Finished</Table.Th>
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
  const { companyId, agentId, agentName, status, startedAt, finishedAt, reservedCents, costCents } =
    run;
  const can = useCan();
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId }}
          search={{ tab: 'runs' }}
        >
          {agentName}
        </TextLink>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td>{run.trigger}</Table.Td>
      <Table.Td>
        <RelativeTime at={startedAt} />
      </Table.Td>
      <Table.Td>{finishedAt === null ? '–' : <RelativeTime at={finishedAt} />}</Table.Td>
      <Table.Td ta="right">
        {costCents === null ? `${formatCents(reservedCents)} reserved` : formatCents(costCents)}
      </Table.Td>
      <Table.Td ta="right">{can.write && status === 'running' && <CancelRun run={run} />}</Table.Td>
    </Table.Tr>
  );
};

const CancelRun = ({ run }: { readonly run: NamedRun }) => {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: ({ id: runId }: NamedRun) =>
      api.post('/api/runs/{runId}/cancel', { params: { path: { runId } } }),
    onSettled: (_data, _error, { companyId }) =>
      client.invalidateQueries({ queryKey: keys.company(companyId) }),
  });
  const confirmCancel = (): void =>
    confirm({
      title: `Cancel this run of ${run.agentName}?`,
      text: 'Its token is rejected within a second, and its reserved amount is charged.',
      confirm: 'Cancel run',
      onConfirm: () => cancel.mutate(run),
    });
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} onClick={confirmCancel}>
      Cancel…
    </Button>
  );
};
