import { Flex, Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { IconBan, IconPlugConnected } from '@tabler/icons-react';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { apiOf } from '../../api/api.ts';
import { connectionsQuery, type CredentialFilter } from '../../api/credential-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { confirm } from '../../components/confirm.tsx';
import { credentialState } from '../../components/credential-state.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Moment } from '../../components/moment.tsx';
import { Name } from '../../components/name.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { shortTime } from '../../components/short-time.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { useActorNamesOf } from '../../components/use-actor-names.ts';
import { ShowChanges } from '../agents/credential-changes.tsx';
import { CredentialReach } from '../agents/credential-reach.tsx';

type Connection = Schema<'Connection'>;

type ConnectionListProps = {
  readonly companyId: string;
  readonly filter: CredentialFilter;
  /** Those of the company are listed with their agents. */
  readonly isOfCompany: boolean;
};

/** The apps that were connected by OAuth, newest first. */
export const ConnectionList = ({ companyId, filter, isOfCompany }: ConnectionListProps) => {
  const { show, agentId } = filter;
  const query = useInfiniteQuery(connectionsQuery(companyId, filter));
  const { data: agents = [] } = useQuery({ ...allAgentsQuery(companyId), enabled: isOfCompany });
  const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  return (
    <ListBody
      query={query}
      found={{ noun: 'connection', filter: { show, agentId } }}
      empty={<NoConnections show={show} />}
    >
      {(items) => (
        <TableScroll label="Connections">
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>App</Table.Th>
                {isOfCompany && <Table.Th>Agent</Table.Th>}
                <Table.Th>Status</Table.Th>
                <Table.Th>Scopes</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((connection) => (
                <ConnectionRow
                  key={connection.id}
                  connection={connection}
                  agentName={isOfCompany ? nameOf(connection.agentId) : null}
                />
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </ListBody>
  );
};

const NoConnections = ({ show }: Pick<CredentialFilter, 'show'>) =>
  show === 'all' ? (
    <EmptyState icon={IconPlugConnected} title="No connections yet">
      Apps such as Claude and ChatGPT appear here once they are connected.
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconPlugConnected}
      title={show === undefined ? 'No active connections' : 'No such connections'}
    />
  );

type ConnectionRowProps = {
  readonly connection: Connection;
  /** Null means the list is of one agent. */
  readonly agentName: string | null;
};

const ConnectionRow = ({ connection, agentName }: ConnectionRowProps) => {
  const { client, createdAt, lastUsedAt, expiresAt } = connection;
  const can = useCan();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const mayRevoke = can.write || session.operator.id === connection.createdBy.id;
  const state = credentialState(connection);
  return (
    <Table.Tr>
      <AppCell client={client} />
      {agentName !== null && (
        <Table.Td>
          <Name>{agentName}</Name>
        </Table.Td>
      )}
      <Table.Td>
        <StatusBadge status={state} />
      </Table.Td>
      <Table.Td>
        <CredentialReach credential={connection} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
        <Consenter connection={connection} />
      </Table.Td>
      <Table.Td>
        <Moment at={lastUsedAt} />
      </Table.Td>
      <Table.Td>
        <Moment at={expiresAt} />
      </Table.Td>
      <Table.Td>
        <Flex gap={4} justify="flex-end">
          <ShowChanges
            companyId={connection.companyId}
            agentId={connection.agentId}
            credential={{ connectionId: connection.id }}
            name={describeConnection({ connection, agentName })}
          />
          {mayRevoke && state === 'active' && (
            <RevokeConnection connection={connection} agentName={agentName} />
          )}
        </Flex>
      </Table.Td>
    </Table.Tr>
  );
};

const AppCell = ({ client }: Pick<Connection, 'client'>) => (
  <RowHeader>
    <Text fw={600} size="sm">
      <Name>{client.name}</Name>
    </Text>
    <Text size="sm" c="dimmed">
      {client.host}
    </Text>
  </RowHeader>
);

/** Whose consent it is: it may do no more than that operator, and ends with the membership. */
const Consenter = ({ connection }: Pick<ConnectionRowProps, 'connection'>) => {
  const { nameOf } = useActorNamesOf(connection.companyId);
  return (
    <div>
      by <Name>{nameOf(connection.createdBy)}</Name>
    </div>
  );
};

/** What distinguishes a connection from others of the same app. */
const describeConnection = ({ connection, agentName }: ConnectionRowProps): string => {
  const { client, createdAt } = connection;
  const agent = agentName === null ? '' : ` as ${agentName}`;
  return `${client.name} (${client.host})${agent}, created ${shortTime(createdAt)}`;
};

const RevokeConnection = (props: ConnectionRowProps) => {
  const { connection } = props;
  const name = describeConnection(props);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ companyId, id: connectionId }: Connection) =>
      apiOf(companyId).delete('/api/connections/{connectionId}', {
        params: { path: { connectionId } },
      }),
    onSuccess: (_, { companyId }) => {
      notifications.show({ message: `The connection of ${name} was revoked.` });
      return client.invalidateQueries({ queryKey: keys.connections(companyId) });
    },
  });
  const confirmRevoke = (): void =>
    confirm({
      title: `Revoke the connection of ${name}?`,
      text: 'Its requests are rejected within a second. Connecting it again needs a new consent.',
      confirm: 'Revoke connection',
      onConfirm: () => revoke.mutate(connection),
    });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {revoke.isError && <ErrorAlert error={revoke.error} />}
      <IconButton
        label={`Revoke the connection of ${name}`}
        icon={IconBan}
        color="red"
        isLoading={revoke.isPending}
        onClick={confirmRevoke}
      />
    </Group>
  );
};
