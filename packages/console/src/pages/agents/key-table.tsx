import { Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { credentialState } from '../../components/credential-state.ts';
import { NameLink } from '../../components/links.tsx';
import { Moment } from '../../components/moment.tsx';
import { Name } from '../../components/name.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { ShowChanges } from './credential-changes.tsx';
import { CredentialReach } from './credential-reach.tsx';
import { KeyActions } from './key-actions.tsx';
import { describeSuccessor, nameKeys, type NamedKey } from './name-keys.ts';

type ApiKey = Schema<'ApiKey'>;

type KeyTableProps = {
  readonly items: readonly ApiKey[];
  readonly hasMore: boolean;
  readonly mayChange: boolean;
  /** Of the keys of several agents: the name of an agent. */
  readonly agentNameOf?: (agentId: string) => string;
};

/** A key with what its row says besides. */
type Row = NamedKey & { readonly agentName: string | null };

const columns: SortColumns<Row, 'name' | 'agent' | 'status' | 'created' | 'used' | 'expires'> = {
  name: ({ name }) => name,
  agent: ({ agentName }) => agentName,
  status: (key) => credentialState(key),
  created: ({ createdAt }) => createdAt,
  used: ({ lastUsedAt }) => lastUsedAt,
  expires: ({ expiresAt }) => expiresAt,
};

const rowsOf = (items: readonly ApiKey[], nameOf: KeyTableProps['agentNameOf']): readonly Row[] =>
  nameKeys(items).map((key) => ({ ...key, agentName: nameOf?.(key.agentId) ?? null }));

/** API keys. */
export const KeyTable = ({ items, hasMore, mayChange, agentNameOf }: KeyTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(rowsOf(items, agentNameOf), columns);
  return (
    <TableScroll label="API keys">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <SortHeader {...headerOf('name')}>Name</SortHeader>
            {agentNameOf && <SortHeader {...headerOf('agent')}>Agent</SortHeader>}
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
            <KeyRow key={key.id} row={key} mayChange={mayChange} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

type KeyRowProps = { readonly row: Row; readonly mayChange: boolean };

const KeyRow = ({ row, mayChange }: KeyRowProps) => {
  const { agentName, label, createdAt } = row;
  const state = credentialState(row);
  return (
    <Table.Tr>
      <RowHeader>
        <NameCell row={row} />
      </RowHeader>
      {agentName !== null && (
        <Table.Td>
          <AgentLink row={row} />
        </Table.Td>
      )}
      <Table.Td>
        <StatusBadge status={state} />
      </Table.Td>
      <Table.Td>
        <CredentialReach credential={row} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <Moment at={row.lastUsedAt} />
      </Table.Td>
      <Table.Td>
        <Moment at={row.expiresAt} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <ShowChanges
            companyId={row.companyId}
            agentId={row.agentId}
            credential={{ keyId: row.id }}
            name={label}
          />
          {mayChange && state === 'active' && <KeyActions apiKey={row} label={label} />}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
};

const NameCell = ({ row }: { readonly row: Row }) => (
  <>
    <Text fw={600} size="sm">
      <Name>{row.name}</Name>
    </Text>
    <Text size="sm" c="dimmed" ff="monospace">
      {row.prefix}…
    </Text>
    {row.replacedBy !== null && (
      <Text size="sm" c="dimmed">
        {describeSuccessor(row)}
      </Text>
    )}
  </>
);

const AgentLink = ({ row: { companyId, agentId, agentName } }: { readonly row: Row }) => (
  <NameLink
    to="/companies/$companyId/agents/$agentId"
    params={{ companyId, agentId }}
    search={{ tab: 'keys' }}
    size="sm"
    name={agentName ?? ''}
  />
);
