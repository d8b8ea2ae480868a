import { Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { usageFile, usageQuery, type DayRange } from '../../api/usage-queries.ts';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { BudgetWarning } from '../../components/budget-warning.tsx';
import { useMoney } from '../../components/use-money.ts';
import { FailedLoad } from '../../components/failed-load.tsx';
import { NameLink } from '../../components/links.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { CsvLink } from './usage-charts.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

type SpendingProps = { readonly companyId: string; readonly days: DayRange };

/** The costliest agents of the range, each with its monthly limit. */
export const SpendingByAgent = ({ companyId, days }: SpendingProps) => {
  const query = useQuery(usageQuery(companyId, days, 'agent'));
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <SectionTitle>Spending by agent</SectionTitle>
          <CsvLink href={usageFile(companyId, days, 'agent')} label="Usage by agent as CSV" />
        </Group>
        <FailedLoad query={query} />
        {query.isPending && <SectionSkeleton height={200} />}
        {query.data && <AgentSpending companyId={companyId} usage={query.data} />}
      </Stack>
    </Paper>
  );
};

type AgentSpendingProps = { readonly companyId: string; readonly usage: Schema<'Usage'> };

const AgentSpending = ({ companyId, usage: { items, others } }: AgentSpendingProps) => {
  const { format } = useMoney();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  if (items.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No run has ended in this range.
      </Text>
    );
  }
  return (
    <TableScroll label="Spending by agent" minWidth={340}>
      <Table verticalSpacing={6} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Agent</Table.Th>
            <Table.Th ta="right">Spent</Table.Th>
            <Table.Th ta="right">Monthly limit</Table.Th>
            <Table.Th ta="right">Runs</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <AgentRow
              key={item.agent?.id}
              companyId={companyId}
              item={item}
              budget={agents.find(({ id }) => id === item.agent?.id)?.budget}
            />
          ))}
          {others && (
            <Table.Tr>
              <RowHeader>
                {others.agents === 1 ? '1 more agent' : `${others.agents} more agents`}
              </RowHeader>
              <Table.Td ta="right">{format(others.costCents)}</Table.Td>
              <Table.Td />
              <Table.Td ta="right">{countRuns(others)}</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
};

type AgentRowProps = {
  readonly companyId: string;
  readonly item: Schema<'UsageItem'>;
  /** That of this month, whatever the range is. */
  readonly budget: Schema<'Agent'>['budget'] | undefined;
};

const AgentRow = ({ companyId, item, budget }: AgentRowProps) => {
  const { format } = useMoney();
  const { agent, costCents } = item;
  return (
    agent && (
      <Table.Tr>
        <RowHeader>
          <NameLink
            to="/companies/$companyId/runs"
            params={{ companyId }}
            search={{ agent: agent.id }}
            name={agent.name}
          />
          {budget && (
            <BudgetWarning
              used={budget.spentCents + budget.reservedCents}
              limit={budget.monthlyCents}
            />
          )}
        </RowHeader>
        <Table.Td ta="right">{format(costCents)}</Table.Td>
        <Table.Td ta="right">
          {agent.monthlyCents === null ? 'none' : format(agent.monthlyCents)}
        </Table.Td>
        <Table.Td ta="right">{countRuns(item)}</Table.Td>
      </Table.Tr>
    )
  );
};

const countRuns = ({ runs }: Pick<Schema<'UsageItem'>, 'runs'>): number =>
  runs.succeeded + runs.failed + runs.cancelled + runs.expired;
