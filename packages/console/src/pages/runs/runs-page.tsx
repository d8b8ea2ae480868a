import { Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyRunsQuery } from '../../api/run-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { BudgetBar } from '../../components/budget-bar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { RunTable } from './run-table.tsx';

const states = ['running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

/** The runs of all agents, and the spending of this month. */
export const RunsPage = () => {
  const companyId = useCompanyId();
  const { state } = useSearch({ strict: false });
  const navigate = useNavigate();
  const status = states.find((each) => each === state);
  return (
    <>
      <PageHeader
        title="Runs"
        description="Runs of all agents, newest first. Updates every 5 seconds."
      />
      <Costs companyId={companyId} />
      <FilterSelect
        label="Status"
        unset="All"
        data={states}
        value={status}
        maw={220}
        my="md"
        onChange={(value) => {
          const next = states.find((each) => each === value);
          void navigate({ to: '.', search: next ? { state: next } : {}, replace: true });
        }}
      />
      <Runs companyId={companyId} status={status} />
    </>
  );
};

type RunsProps = {
  readonly companyId: string;
  readonly status: (typeof states)[number] | undefined;
};

const Runs = ({ companyId, status }: RunsProps) => {
  const query = useInfiniteQuery(companyRunsQuery(companyId, status));
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return (
    <ListBody
      query={query}
      empty={
        <EmptyState icon={IconPlayerPlay} title={status ? 'No matching runs' : 'No runs yet'}>
          {status ? null : 'A run is one task of an agent, with its own token.'}
        </EmptyState>
      }
    >
      {(runs) => (
        <RunTable
          runs={runs.map((run) => ({ ...run, agentName: names.get(run.agentId) ?? run.agentId }))}
        />
      )}
    </ListBody>
  );
};

/** The spending of this month by agent, highest first. */
const Costs = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Spending and budgets" query={query}>
      {(agents) => <CostTable agents={agents} />}
    </Section>
  );
};

const spendersMax = 8;

/** Agents with spending or reservations this month. */
const CostTable = ({ agents }: { readonly agents: readonly Schema<'Agent'>[] }) => {
  const spenders = agents
    .filter(({ budget }) => budget.spentCents + budget.reservedCents > 0)
    .toSorted((one, other) => other.budget.spentCents - one.budget.spentCents)
    .slice(0, spendersMax);
  if (spenders.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        No spending this month.
      </Text>
    );
  }
  return (
    <Table withRowBorders={false} layout="auto">
      <Table.Tbody>
        {spenders.map(({ id, name, budget }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" w="30%" style={{ verticalAlign: 'top' }}>
              <Text size="sm" fw={600}>
                {name}
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
  );
};
