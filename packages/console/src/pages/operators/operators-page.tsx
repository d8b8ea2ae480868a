import { Badge, Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { IconUsers } from '@tabler/icons-react';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { operatorsQuery, sessionQuery } from '../../api/session-queries.ts';
import { RequirePermission } from '../../app/session/require-permission.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Person } from '../../components/person.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { OperatorMenu, type OperatorChange as Change } from './operator-menu.tsx';

type Operator = Schema<'Operator'>;

/** All operators of this instance. For administrators. */
export const OperatorsPage = () => (
  <RequirePermission permission="administrate">
    <Operators />
  </RequirePermission>
);

const Operators = () => {
  const query = useInfiniteQuery(operatorsQuery);
  const update = useUpdateOperator();
  return (
    <>
      <PageHeader title="Operators" description="Everyone with an account on this instance" />
      {update.isError && <ErrorAlert error={update.error} />}
      <ListBody query={query} empty={<NoOperators />}>
        {(operators) => (
          <TableScroll minWidth={560}>
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
                {operators.map((operator) => (
                  <OperatorRow key={operator.id} operator={operator} onChange={update.mutate} />
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        )}
      </ListBody>
    </>
  );
};

/** Without accounts everybody at this machine is the same operator. */
const NoOperators = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.mode === 'local_trusted' ? (
    <EmptyState icon={IconUsers} title="No accounts in local trusted mode">
      Any program on this machine acts as “{session.operator.name}”, without signing in. Accounts
      for several people are there in authenticated mode.
    </EmptyState>
  ) : (
    <EmptyState icon={IconUsers} title="No operators" />
  );
};

type RowProps = { readonly operator: Operator; readonly onChange: (change: Change) => void };

const OperatorRow = ({ operator, onChange }: RowProps) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { id, isAdmin, disabled, lastSignInAt, handoverExpiresAt } = operator;
  return (
    <Table.Tr>
      <Table.Td>
        <Person {...operator} />
      </Table.Td>
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
        {id !== session.operator.id && <OperatorMenu operator={operator} onChange={onChange} />}
      </Table.Td>
    </Table.Tr>
  );
};

const useUpdateOperator = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Change) =>
      api.patch('/api/auth/operators/{operatorId}', { params: { path: { operatorId: id } }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.operators }),
  });
};
