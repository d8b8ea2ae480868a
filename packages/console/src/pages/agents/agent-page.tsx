import { Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agentQuery } from '../../api/agent-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { useToday } from '../../components/use-today.ts';
import { ActivityTable } from '../activity/activity-table.tsx';
import { ConnectionList } from '../connections/connection-list.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentKeys } from './agent-keys.tsx';
import { AgentOverview } from './agent-overview.tsx';
import { AgentRuns } from './agent-runs.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/agents/$agentId');

const tabs = ['overview', 'keys', 'connections', 'runs', 'activity'] as const;
type Tab = (typeof tabs)[number];

const watchMs = 5_000;

/** Others pause it too, and it spends. */
const watchedAgent = (companyId: string, agentId: string) => ({
  ...agentQuery(companyId, agentId),
  refetchInterval: watchMs,
});

const useChooseTab = () => {
  const change = useChangeSearch({ replace: false });
  return (next: string | null): void => {
    const chosen: Tab = tabs.find((each) => each === next) ?? 'overview';
    change({ open: undefined, tab: chosen === 'overview' ? undefined : chosen });
  };
};

/** One agent with its keys, connections, runs and activity. The tab is in the address. */
export const AgentPage = () => {
  const companyId = useCompanyId();
  const { agentId } = route.useParams();
  const { tab = 'overview' } = route.useSearch();
  const { data: agent } = useSuspenseQuery(watchedAgent(companyId, agentId));
  const choose = useChooseTab();
  return (
    <>
      <PageHeader
        title={agent.name}
        description={
          <>
            <bdi>{agent.title === '' ? agent.role : `${agent.title}, ${agent.role}`}</bdi>{' '}
            <StatusBadge status={agent.status} />
          </>
        }
        actions={<AgentActions agent={agent} />}
      />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="keys">Keys</Tabs.Tab>
          <Tabs.Tab value="connections">Connections</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <AgentOverview agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <AgentKeys agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <AgentConnections companyId={companyId} agentId={agentId} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <AgentRuns agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <ActivityTable filter={{ entityId: agent.id }} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

type AgentConnectionsProps = { readonly companyId: string; readonly agentId: string };

const AgentConnections = ({ companyId, agentId }: AgentConnectionsProps) => {
  const todayMs = useToday();
  return (
    <ConnectionList
      companyId={companyId}
      filter={{ agentId, show: 'all', todayMs }}
      isOfCompany={false}
    />
  );
};
