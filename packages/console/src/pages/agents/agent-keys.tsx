import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { agentKeysQuery } from '../../api/agent-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { useOpenedByAddress } from '../../components/use-opened-by-address.ts';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/agents/$agentId');

type Agent = Schema<'Agent'>;

/** The keys of an agent. A key itself is displayed only when it is created. */
export const AgentKeys = ({ agent }: { readonly agent: Agent }) => {
  const query = useInfiniteQuery(agentKeysQuery(agent.companyId, agent.id));
  const can = useCan();
  const mayChange = can.write && agent.status !== 'terminated';
  useOpenedByAddress({
    open: route.useSearch().open,
    wanted: 'new-key',
    mayOpen: mayChange,
    openDialog: () => openCreateKey(agent),
  });
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openCreateKey(agent)}>
      New key
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" size="sm">
          Up to 10 active keys. A key is shown only once: store it in a secret manager.
        </Text>
        {create}
      </Group>
      <ListBody
        query={query}
        found={{ noun: 'key' }}
        empty={
          <EmptyState icon={IconKey} title="No keys yet">
            Without a key the agent cannot send requests.
          </EmptyState>
        }
      >
        {(items, hasMore) => <KeyTable items={items} hasMore={hasMore} mayChange={mayChange} />}
      </ListBody>
    </Stack>
  );
};

const openCreateKey = (agent: Agent): void => {
  modals.open({
    title: `New key for ${agent.name}`,
    size: 'lg',
    children: <CreateKey agent={agent} />,
  });
};
