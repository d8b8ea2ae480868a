import { Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlayerPlay } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { recentRunsQuery } from '../../api/run-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { BudgetBar } from '../../components/budget-bar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { RunTable } from './run-table.tsx';

const states = ['running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;

/** The latest runs of every agent, and what they cost against the budgets. */
export const RunsPage = () => {
  const companyId = useCompanyId();
  const { state } = useSearch({ strict: false });
  const navigate = useNavigate();
  const {
    data: recent,
    error,
    refetch,
  } = useQuery({
    ...recentRunsQuery(companyId),
    refetchInterval: 5_000,
  });
  const shown = recent?.runs.filter((run) => state === undefined || run.status === state);
  return (
    <>
      <PageHeader
        title="Runs"
        description="The latest five of each of the first fifty agents, looked at every 5 seconds"
      />
      <Costs companyId={companyId} />
      <FilterSelect
        label="Status"
        unset="All"
        data={states}
        value={state}
        maw={220}
        my="md"
        onChange={(value) => {
          const next = states.find((each) => each === value);
          void navigate({ to: '.', search: next ? { state: next } : {}, replace: true });
        }}
      />
      {error && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {!shown && !error && <PageSkeleton />}
      {shown?.length === 0 && (
        <EmptyState icon={IconPlayerPlay} title={state ? 'No such run' : 'No runs yet'}>
          {state ? null : 'A run is one stretch of work of an agent, with a token of its own.'}
        </EmptyState>
      )}
      {shown && shown.length > 0 && <RunTable runs={shown} />}
    </>
  );
};

/** What the agents spent this month, the dearest first. */
const Costs = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Cost against budget" query={query}>
      {(agents) => <CostTable agents={agents} />}
    </Section>
  );
};

const spendersMax = 8;

/** Agents that spent something or hold a reservation this month. */
const CostTable = ({ agents }: { readonly agents: readonly Schema<'Agent'>[] }) => {
  const spenders = agents
    .filter(({ budget }) => budget.spentCents + budget.reservedCents > 0)
    .toSorted((one, other) => other.budget.spentCents - one.budget.spentCents)
    .slice(0, spendersMax);
  if (spenders.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        Nothing was spent this month.
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
