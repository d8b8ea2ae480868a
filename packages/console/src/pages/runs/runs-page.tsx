import { SimpleGrid, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyRunsQuery, type RunFilter } from '../../api/run-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { AgentFilter } from '../../components/agent-filter.tsx';
import { BudgetBar } from '../../components/budget-bar.tsx';
import { DayField } from '../../components/day-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { isMoneyUsedUp } from '../../components/is-used-up.ts';
import { TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Name } from '../../components/name.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { RunTable } from './run-table.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/runs');

const states = ['running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

/** The runs of all agents, filtered in the address, and the spending of this month. */
export const RunsPage = () => {
  const companyId = useCompanyId();
  const { state, agent, from, to } = route.useSearch();
  const status = states.find((each) => each === state);
  return (
    <>
      <PageHeader
        title="Runs"
        description="Runs of all agents, newest first. Updates every 5 seconds."
      />
      <Costs companyId={companyId} />
      <RunFilters companyId={companyId} />
      <Runs companyId={companyId} filter={{ status, agentId: agent, from, to }} />
    </>
  );
};

const RunFilters = ({ companyId }: { readonly companyId: string }) => {
  const { state, agent, from, to } = route.useSearch();
  const change = useChangeSearch();
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} maw={800} my="md">
      <FilterSelect
        label="Outcome"
        unset="All"
        data={states}
        value={states.find((each) => each === state)}
        onChange={(value) => change({ state: value ?? undefined })}
      />
      <AgentFilter
        companyId={companyId}
        agentId={agent}
        onChange={(agentId) => change({ agent: agentId })}
      />
      <DayField label="Started from" day={from} onChange={(day) => change({ from: day })} />
      <DayField
        label="Started until"
        day={to}
        from={from}
        onChange={(day) => change({ to: day })}
      />
    </SimpleGrid>
  );
};

type RunsProps = { readonly companyId: string; readonly filter: RunFilter };

const Runs = ({ companyId, filter }: RunsProps) => {
  const query = useInfiniteQuery(companyRunsQuery(companyId, filter));
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <ListBody
      query={query}
      found={{ noun: 'run', filter }}
      empty={
        <EmptyState icon={IconPlayerPlay} title={isFiltered ? 'No matching runs' : 'No runs yet'}>
          {isFiltered
            ? null
            : 'A run is one task of an agent, with its own token. “commonplace heartbeat” starts one around a command.'}
        </EmptyState>
      }
    >
      {(runs, hasMore) => (
        <RunTable
          hasMore={hasMore}
          agentOf={(id) => byId.get(id)}
          runs={runs.map((run) => ({
            ...run,
            agentName: byId.get(run.agentId)?.name ?? run.agentId,
          }))}
        />
      )}
    </ListBody>
  );
};

/** The spending of this month by agent. */
const Costs = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Spending and budgets" query={query}>
      {(agents) => <CostTable companyId={companyId} agents={agents} />}
    </Section>
  );
};

/** Few, so that the runs are above the fold; the list of agents has the spending of all. */
const spendersMax = 3;

type CostTableProps = {
  readonly companyId: string;
  readonly agents: readonly Schema<'Agent'>[];
};

/** Agents with spending or reservations this month: those whose budget is used up, then the costliest. */
const CostTable = ({ companyId, agents }: CostTableProps) => {
  const spenders = agents
    .filter(({ budget }) => budget.spentCents + budget.reservedCents > 0)
    .toSorted(
      ({ budget: one }, { budget: other }) =>
        Number(isMoneyUsedUp(other)) - Number(isMoneyUsedUp(one)) ||
        other.spentCents - one.spentCents,
    );
  if (spenders.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No spending this month.
      </Text>
    );
  }
  return (
    <>
      <Table
        aria-label="Spending and budgets"
        withRowBorders={false}
        layout="auto"
        horizontalSpacing={0}
      >
        <Table.Tbody>
          {spenders.slice(0, spendersMax).map(({ id, name, budget }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" w="22%" style={{ verticalAlign: 'top' }}>
                <Text size="sm" fw={600}>
                  <Name>{name}</Name>
                </Text>
              </Table.Th>
              <Table.Td>
                <BudgetBar
                  spentCents={budget.spentCents}
                  reservedCents={budget.reservedCents}
                  limitCents={budget.monthlyCents}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {spenders.length > spendersMax && (
        <TextLink to="/companies/$companyId/agents" params={{ companyId }} size="sm">
          All {spenders.length} agents with spending
        </TextLink>
      )}
    </>
  );
};
