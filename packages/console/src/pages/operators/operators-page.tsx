import { Badge, Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { operatorsQuery, sessionQuery } from '../../api/session-queries.ts';
import { RequirePermission } from '../../app/session/require-permission.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Person } from '../../components/person.tsx';
import { PersonSearch } from '../../components/person-search.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { useProgressiveRows } from '../../components/use-progressive-rows.ts';
import { TableScroll } from '../../components/table-scroll.tsx';
import { OperatorMenu, type OperatorChange as Change } from './operator-menu.tsx';

type Operator = Schema<'Operator'>;

const route = getRouteApi('/signed-in/operators');

/** All operators of this instance. For administrators. */
export const OperatorsPage = () => (
  <RequirePermission permission="administrate">
    <Operators />
  </RequirePermission>
);

const Operators = () => {
  const { q } = route.useSearch();
  const change = useChangeSearch();
  const query = useInfiniteQuery(operatorsQuery(q));
  return (
    <>
      <PageHeader title="Operators" description="Everyone with an account on this instance" />
      <PersonSearch value={q} onChange={(text) => change({ q: text })} />
      <ListBody
        query={query}
        found={{ noun: 'operator', filter: { q } }}
        empty={<NoOperators isSearch={q !== undefined} />}
      >
        {(operators) => <OperatorTable operators={operators} />}
      </ListBody>
    </>
  );
};

const OperatorTable = ({ operators }: { readonly operators: readonly Operator[] }) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <TableScroll label="Operators" minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Last signed in</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {useProgressiveRows(operators).map((operator) => (
            <OperatorRow
              key={operator.id}
              operator={operator}
              isOwn={operator.id === session.operator.id}
            />
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
};

/** Without accounts everybody at this machine is the same operator. */
const NoOperators = ({ isSearch }: { readonly isSearch: boolean }) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (isSearch && session.mode === 'authenticated') {
    return <EmptyState icon={IconSearch} title="No matching operators" />;
  }
  return session.mode === 'local_trusted' ? (
    <EmptyState icon={IconUsers} title="No accounts in local trusted mode">
      Any program on this machine acts as “{session.operator.name}”, without signing in. Accounts
      for several people are there in authenticated mode.
    </EmptyState>
  ) : (
    <EmptyState icon={IconUsers} title="No operators" />
  );
};

type RowProps = { readonly operator: Operator; readonly isOwn: boolean };

/** A row says itself why it was not changed: the list may be long. */
const OperatorRow = memo(({ operator, isOwn }: RowProps) => {
  const update = useUpdateOperator();
  const { isAdmin, disabled, lastSignInAt, handoverExpiresAt } = operator;
  return (
    <Table.Tr>
      <RowHeader>
        <Person {...operator} />
      </RowHeader>
      <Table.Td>
        <Group gap="xs">
          {isAdmin && <Badge variant="light">administrator</Badge>}
          <Badge variant="light" color={disabled ? 'gray' : 'teal'}>
            {disabled ? 'disabled' : 'enabled'}
          </Badge>
          {handoverExpiresAt && (
            <Text size="sm">
              In a handover that nobody took; its link ends <Moment at={handoverExpiresAt} />
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Moment at={lastSignInAt} />
      </Table.Td>
      <Table.Td ta="right">
        {update.isError && <ErrorAlert error={update.error} />}
        {!isOwn && <OperatorMenu operator={operator} onChange={update.mutate} />}
      </Table.Td>
    </Table.Tr>
  );
});
OperatorRow.displayName = 'OperatorRow';

const useUpdateOperator = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Change) =>
      api.patch('/api/auth/operators/{operatorId}', { params: { path: { operatorId: id } }, body }),
    onSettled: reloadWhenSettled<Change>(() =>
      client.invalidateQueries({ queryKey: keys.operators }),
    ),
  });
};
