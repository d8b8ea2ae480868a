import { Button, SimpleGrid, Table, Text, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconPlus, IconRobot, IconSearch } from '@tabler/icons-react';
import { memo } from 'react';
import { agentsQuery, type AgentFilter } from '../../api/agent-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { useMoney } from '../../components/use-money.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { isMoneyUsedUp } from '../../components/is-used-up.ts';
import { ButtonLink, NameLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Name } from '../../components/name.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { useProgressiveRows } from '../../components/use-progressive-rows.ts';
import { useOpenedByAddress } from '../../components/use-opened-by-address.ts';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { openCreateAgent } from './create-agent.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/agents');

/** The agents of the company; search and filters are in the address. */
export const AgentsPage = () => {
  const companyId = useCompanyId();
  const { open, ...filter } = route.useSearch();
  const query = useInfiniteQuery(agentsQuery(companyId, filter));
  const can = useCan();
  useOpenedByAddress({
    open,
    wanted: 'new-agent',
    mayOpen: can.write,
    openDialog: () => openCreateAgent(companyId),
  });
  const create = can.write && <CreateButton companyId={companyId} />;
  return (
    <>
      <PageHeader
        title="Agents"
        actions={
          <>
            <ButtonLink
              to="/companies/$companyId/org-chart"
              params={{ companyId }}
              variant="default"
            >
              Org chart
            </ButtonLink>
            {create}
          </>
        }
      />
      <AgentFilters filter={filter} />
      <ListBody
        query={query}
        found={{ noun: 'agent', filter }}
        empty={
          filter.q || filter.status ? (
            <EmptyState icon={IconSearch} title="No matching agents" />
          ) : (
            <EmptyState icon={IconRobot} title="No agents yet" action={create}>
              An agent is an automated caller with a role, a manager and a budget.
            </EmptyState>
          )
        }
      >
        {(agents, hasMore) => <AgentTable agents={agents} hasMore={hasMore} />}
      </ListBody>
    </>
  );
};

const CreateButton = ({ companyId }: { readonly companyId: string }) => (
  <Button
    leftSection={<IconPlus size={16} aria-hidden />}
    onClick={() => openCreateAgent(companyId)}
  >
    New agent
  </Button>
);

type AgentTableProps = {
  readonly agents: readonly Schema<'Agent'>[];
  readonly hasMore: boolean;
};

const columns: SortColumns<Schema<'Agent'>, 'name' | 'role' | 'status' | 'manager' | 'spent'> = {
  name: ({ name }) => name,
  role: ({ role }) => role,
  status: ({ status }) => status,
  manager: ({ chainOfCommand }) => chainOfCommand[0]?.name ?? null,
  spent: ({ budget }) => budget.spentCents,
};

const AgentTable = ({ agents, hasMore }: AgentTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(agents, columns);
  return (
    <TableScroll label="Agents" minWidth={560}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <SortHeader {...headerOf('name')}>Name</SortHeader>
            <SortHeader {...headerOf('role')}>Role</SortHeader>
            <SortHeader {...headerOf('status')}>Status</SortHeader>
            <SortHeader {...headerOf('manager')}>Reports to</SortHeader>
            <SortHeader ta="right" {...headerOf('spent')}>
              Spent this month
            </SortHeader>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {useProgressiveRows(rows).map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

const AgentRow = memo(({ agent }: { readonly agent: Schema<'Agent'> }) => {
  const companyId = useCompanyId();
  const { id, name, title, role, status, chainOfCommand, budget } = agent;
  return (
    <Table.Tr>
      <RowHeader>
        <NameLink
          to="/companies/$companyId/agents/$agentId"
          params={{ companyId, agentId: id }}
          fw={600}
          name={name}
        />
        {title !== '' && (
          <Text size="sm" c="dimmed">
            <Name>{title}</Name>
          </Text>
        )}
      </RowHeader>
      <Table.Td>
        <Name>{role}</Name>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td>{chainOfCommand[0] ? <Name>{chainOfCommand[0].name}</Name> : <NoOne />}</Table.Td>
      <Table.Td ta="right">
        <Spent budget={budget} />
      </Table.Td>
    </Table.Tr>
  );
});

const NoOne = () => (
  <>
    <span aria-hidden>–</span>
    <VisuallyHidden>no one</VisuallyHidden>
  </>
);

/** What an agent has spent this month, and its limit. */
const Spent = ({ budget }: Pick<Schema<'Agent'>, 'budget'>) => {
  const { format } = useMoney();
  const isUsedUp = isMoneyUsedUp(budget);
  return (
    <>
      <Text
        span
        inherit
        pos="relative"
        {...(isUsedUp ? { fw: 600, c: 'var(--console-chart-failed)' } : {})}
      >
        {format(budget.spentCents)}
        {isUsedUp && <VisuallyHidden>, the budget is used up</VisuallyHidden>}
      </Text>
      {budget.monthlyCents !== null && (
        <Text span c="dimmed" size="sm">
          <span aria-hidden> / </span>
          <VisuallyHidden> of </VisuallyHidden>
          {format(budget.monthlyCents)}
        </Text>
      )}
    </>
  );
};

const states = ['active', 'paused', 'terminated'] as const;

const AgentFilters = ({ filter }: { readonly filter: AgentFilter }) => {
  const change: (next: AgentFilter) => void = useChangeSearch();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={532} mb="md">
      <SearchField
        label="Search"
        placeholder="Name, title or role"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.q}
        onChange={(q) => change({ q })}
      />
      <FilterSelect
        label="Status"
        unset="All"
        data={states}
        value={filter.status}
        onChange={(value) => change({ status: states.find((state) => state === value) })}
      />
    </SimpleGrid>
  );
};
