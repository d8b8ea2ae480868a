import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { agentKeysQuery } from '../../api/agent-queries.ts';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { useCan } from '../../app/use-can.ts';
import { confirm } from '../../components/confirm.tsx';
import { credentialState } from '../../components/credential-state.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { CreateKey } from './create-key.tsx';
import { ShowChanges } from './credential-changes.tsx';
import { RotateKey } from './rotate-key.tsx';
import { describeGrants } from './grant-choice.ts';
import { describeScopes } from './scope-fields.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';

type Agent = Schema<'Agent'>;
type ApiKey = Schema<'ApiKey'>;

/** The keys of an agent. A key itself is displayed only when it is created. */
export const AgentKeys = ({ agent }: { readonly agent: Agent }) => {
  const query = useInfiniteQuery(agentKeysQuery(agent.companyId, agent.id));
  const can = useCan();
  const mayChange = can.write && agent.status !== 'terminated';
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() =>
        modals.open({
          title: `New key for ${agent.name}`,
          size: 'lg',
          children: <CreateKey agent={agent} />,
        })
      }
    >
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

type KeyTableProps = {
  readonly items: readonly ApiKey[];
  readonly hasMore: boolean;
  readonly mayChange: boolean;
};

const columns: SortColumns<ApiKey, 'name' | 'status' | 'created' | 'used' | 'expires'> = {
  name: ({ name }) => name,
  status: (key) => credentialState(key),
  created: ({ createdAt }) => createdAt,
  used: ({ lastUsedAt }) => lastUsedAt,
  expires: ({ expiresAt }) => expiresAt,
};

const KeyTable = ({ items, hasMore, mayChange }: KeyTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(items, columns);
  return (
    <TableScroll minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <SortHeader {...headerOf('name')}>Name</SortHeader>
            <SortHeader {...headerOf('status')}>Status</SortHeader>
            <Table.Th>Scopes</Table.Th>
            <SortHeader {...headerOf('created')}>Created</SortHeader>
            <SortHeader {...headerOf('used')}>Last used</SortHeader>
            <SortHeader {...headerOf('expires')}>Expires</SortHeader>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((key) => (
            <KeyRow key={key.id} apiKey={key} mayChange={mayChange} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

type KeyRowProps = { readonly apiKey: ApiKey; readonly mayChange: boolean };

const KeyRow = ({ apiKey, mayChange }: KeyRowProps) => {
  const { name, prefix, scopes, grants, createdAt, lastUsedAt, expiresAt } = apiKey;
  const state = credentialState(apiKey);
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="sm" c="dimmed" ff="monospace">
          {prefix}…
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={state} />
      </Table.Td>
      <Table.Td>
        {describeScopes(scopes)}
        {grants && (
          <Text size="sm" c="dimmed">
            {describeGrants(grants)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>{lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />}</Table.Td>
      <Table.Td>{expiresAt === null ? 'Never' : <RelativeTime at={expiresAt} />}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <ShowChanges
            companyId={apiKey.companyId}
            agentId={apiKey.agentId}
            credential={{ keyId: apiKey.id }}
            name={name}
          />
          {mayChange && state === 'active' && <KeyActions apiKey={apiKey} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
};

const KeyActions = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { name } = apiKey;
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ agentId, id: keyId }: ApiKey) =>
      api.delete('/api/agents/{agentId}/keys/{keyId}', { params: { path: { agentId, keyId } } }),
    onSuccess: (_, { companyId, agentId }) =>
      client.invalidateQueries({ queryKey: keys.agent(companyId, agentId) }),
  });
  const confirmRevoke = (): void =>
    confirm({
      title: `Revoke ${name}?`,
      text: 'Requests with this key and with its runs are rejected within a second.',
      confirm: 'Revoke key',
      onConfirm: () => revoke.mutate(apiKey),
    });
  return (
    <>
      {revoke.isError && <ErrorAlert error={revoke.error} />}
      <Button
        size="xs"
        variant="default"
        aria-label={`Rotate ${name}`}
        onClick={() =>
          modals.open({
            title: `Rotate ${name}`,
            size: 'lg',
            children: <RotateKey apiKey={apiKey} />,
          })
        }
      >
        Rotate
      </Button>
      <Button
        size="xs"
        color="red"
        variant="outline"
        aria-label={`Revoke ${name}`}
        loading={revoke.isPending}
        onClick={confirmRevoke}
      >
        Revoke
      </Button>
    </>
  );
};
