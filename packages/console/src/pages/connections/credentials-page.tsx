import { SimpleGrid, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconKey } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import {
  companyKeysQuery,
  expiringDays,
  unusedDays,
  type CredentialFilter,
} from '../../api/credential-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { useCan } from '../../app/session/use-can.ts';
import { AgentFilter } from '../../components/agent-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { useToday } from '../../components/use-today.ts';
import { KeyTable } from '../agents/key-table.tsx';
import { ConnectionList } from './connection-list.tsx';
import { NewKeyButton } from './new-key.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/credentials');

/** The API keys and connections of all agents, filtered in the address. */
export const CredentialsPage = () => {
  const companyId = useCompanyId();
  const { show, agent } = route.useSearch();
  const todayMs = useToday();
  const can = useCan();
  const filter: CredentialFilter = {
    agentId: agent,
    show: views.find(({ value }) => value === show)?.value,
    todayMs,
  };
  return (
    <>
      <PageHeader
        title="Credentials"
        description="The API keys and connections of all agents. A revoked one is rejected within a second."
        actions={can.write && <NewKeyButton companyId={companyId} agentId={agent} />}
      />
      <Filters companyId={companyId} filter={filter} />
      <Title order={2} size="h3" mt="lg" mb="xs">
        API keys
      </Title>
      <Keys companyId={companyId} filter={filter} />
      <Title order={2} size="h3" mt="xl" mb="xs">
        Connections
      </Title>
      <ConnectionList companyId={companyId} filter={filter} isOfCompany />
    </>
  );
};

const views = [
  { value: 'unused', label: `Unused for ${unusedDays} days` },
  { value: 'expiring', label: `Expiring within ${expiringDays} days` },
  { value: 'all', label: 'All, also revoked and expired' },
] as const;

type FilterProps = { readonly companyId: string; readonly filter: CredentialFilter };

const Filters = ({ companyId, filter }: FilterProps) => {
  const change = useChangeSearch();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} maw={532}>
      <FilterSelect
        label="Show"
        unset="Active"
        data={views}
        value={filter.show}
        onChange={(value) => change({ show: value ?? undefined })}
      />
      <AgentFilter
        companyId={companyId}
        agentId={filter.agentId}
        onChange={(agentId) => change({ agent: agentId })}
      />
    </SimpleGrid>
  );
};

const Keys = ({ companyId, filter }: FilterProps) => {
  const query = useInfiniteQuery(companyKeysQuery(companyId, filter));
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const can = useCan();
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return (
    <ListBody
      query={query}
      found={{ noun: 'API key', filter: { show: filter.show, agentId: filter.agentId } }}
      empty={
        filter.show === 'all' && filter.agentId === undefined ? (
          <EmptyState icon={IconKey} title="No keys yet">
            Without a key or a connection an agent cannot send requests.
          </EmptyState>
        ) : (
          <EmptyState
            icon={IconKey}
            title={filter.show === undefined ? 'No active keys' : 'No such keys'}
          />
        )
      }
    >
      {(items, hasMore) => (
        <KeyTable
          items={items}
          hasMore={hasMore}
          mayChange={can.write}
          agentNameOf={(id) => names.get(id) ?? id}
        />
      )}
    </ListBody>
  );
};
