import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { agentKeysQuery } from '../../api/agent-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/agents/$agentId');

type Agent = Schema<'Agent'>;

/** The keys of an agent. A key itself is displayed only when it is created. */
export const AgentKeys = ({ agent }: { readonly agent: Agent }) => {
  const query = useInfiniteQuery(agentKeysQuery(agent.companyId, agent.id));
  const can = useCan();
  const mayChange = can.write && agent.status !== 'terminated';
  useOpenedByAddress(mayChange, agent);
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

/** The command "New key for …" leads here. */
const useOpenedByAddress = (mayChange: boolean, agent: Agent): void => {
  const { open } = route.useSearch();
  const navigate = useNavigate();
  const isWanted = open === 'new-key';
  const openDialog = useEffectEvent(() => openCreateKey(agent));
  useEffect(() => {
    if (isWanted) {
      // So that the dialog does not open again with the page.
      void navigate({ to: '.', search: { tab: 'keys' }, replace: true });
      if (mayChange) {
        openDialog();
      }
    }
  }, [isWanted, mayChange, navigate]);
};
