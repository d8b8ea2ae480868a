import { Badge, Button, Group, Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { IconUsers } from '@tabler/icons-react';
import { api } from '../../api/api.ts';
import { invalidateMembers, membersQuery } from '../../api/company-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Person } from '../../components/person.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { modals } from '../../components/modals.ts';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { TableScroll } from '../../components/table-scroll.tsx';
import { Granted } from '../agents/granted.tsx';
import { MemberFolders } from './member-folders.tsx';
import { RoleSelect } from './role-select.tsx';
import { roles } from './roles.ts';

type Member = Schema<'Member'>;

/** The members; owners change their roles and remove them. */
export const MemberList = () => {
  const companyId = useCompanyId();
  const query = useInfiniteQuery(membersQuery(companyId));
  const remove = useRemoveMember(companyId);
  return (
    <>
      {remove.isError && <ErrorAlert error={remove.error} />}
      <ListBody query={query} empty={<EmptyState icon={IconUsers} title="No members" />}>
        {(members, hasMore) => (
          <MemberTable members={members} hasMore={hasMore} onRemove={remove.mutate} />
        )}
      </ListBody>
    </>
  );
};

type MemberTableProps = {
  readonly members: readonly Member[];
  readonly hasMore: boolean;
  readonly onRemove: MemberRowProps['onRemove'];
};

const columns: SortColumns<Member, 'name' | 'role' | 'since'> = {
  name: ({ name }) => name,
  role: ({ role }) => roles.findIndex(({ value }) => value === role),
  since: ({ since }) => since,
};

const MemberTable = ({ members, hasMore, onRemove }: MemberTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(members, columns);
  return (
    <TableScroll minWidth={560}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <SortHeader {...headerOf('name')}>Name</SortHeader>
            <SortHeader {...headerOf('role')}>Role</SortHeader>
            <SortHeader {...headerOf('since')}>Member since</SortHeader>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((member) => (
            <MemberRow key={member.operatorId} member={member} onRemove={onRemove} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

type MemberRowProps = {
  readonly member: Member;
  readonly onRemove: (member: Member) => void;
};

const MemberRow = ({ member, onRemove }: MemberRowProps) => {
  const { role, grants, since } = member;
  const mayChange = useMayChange(member);
  return (
    <Table.Tr>
      <Table.Td>
        <Person {...member} />
      </Table.Td>
      <Table.Td>
        {mayChange ? <RoleSelect member={member} /> : <Badge variant="light">{role}</Badge>}
        <Granted grants={grants} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={since} />
      </Table.Td>
      <Table.Td ta="right">
        {mayChange && <MemberActions member={member} onRemove={onRemove} />}
      </Table.Td>
    </Table.Tr>
  );
};

/** Owners change members, but in local trusted mode the operator stays the owner of every company. */
const useMayChange = ({ operatorId }: Member): boolean => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const can = useCan();
  return can.manage && !(session.mode === 'local_trusted' && operatorId === session.operator.id);
};

/** What an owner does with a member: chooses the folders of a viewer, or removes it. */
const MemberActions = ({ member, onRemove }: MemberRowProps) => {
  const { name, role } = member;
  const companyId = useCompanyId();
  const remove = (): void =>
    confirm({
      title: `Remove ${name}?`,
      text: 'They lose access to this company within a second.',
      confirm: 'Remove member',
      onConfirm: () => onRemove(member),
    });
  return (
    <Group gap="xs" justify="flex-end">
      {role === 'viewer' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Folders of ${name}`}
          onClick={() =>
            modals.open({
              title: `Folders of ${name}`,
              size: 'lg',
              children: <MemberFolders companyId={companyId} member={member} />,
            })
          }
        >
          Folders…
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={remove}>
        Remove
      </Button>
    </Group>
  );
};

const useRemoveMember = (companyId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ operatorId }: Member) =>
      unlessGone(
        api.delete('/api/companies/{companyId}/members/{operatorId}', {
          params: { path: { companyId, operatorId } },
        }),
      ),
    onSuccess: (_data, { name }) => notifications.show({ message: `${name} removed.` }),
    onSettled: reloadWhenSettled<unknown>(() => invalidateMembers(client, companyId)),
  });
};
