import { Badge, Group, Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import { companyQuery, membersQuery } from '../../api/company-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { Person } from '../../components/person.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SortHeader } from '../../components/sort-header.tsx';
import { SortedCaption } from '../../components/sorted-caption.tsx';
import { useProgressiveRows } from '../../components/use-progressive-rows.ts';
import { useSortedRows, type SortColumns } from '../../components/use-sorted-rows.ts';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { Granted } from '../agents/granted.tsx';
import { FoldersButton, LeaveButton, RemoveButton } from './member-actions.tsx';
import { RoleSelect } from './role-select.tsx';
import { roles } from './roles.ts';

type Member = Schema<'Member'>;

/** The members; owners change their roles and remove them. `q` is a part of a name or email. */
export const MemberList = ({ q }: { readonly q: string | undefined }) => {
  const companyId = useCompanyId();
  const query = useInfiniteQuery(membersQuery(companyId, q));
  const empty = q
    ? { icon: IconSearch, title: 'No matching members' }
    : { icon: IconUsers, title: 'No members' };
  return (
    <ListBody
      query={query}
      found={{ noun: 'member', filter: { q } }}
      empty={<EmptyState {...empty} />}
    >
      {(members, hasMore) => <MemberTable members={members} hasMore={hasMore} />}
    </ListBody>
  );
};

type MemberTableProps = { readonly members: readonly Member[]; readonly hasMore: boolean };

const columns: SortColumns<Member, 'name' | 'role' | 'since'> = {
  name: ({ name }) => name,
  role: ({ role }) => roles.findIndex(({ value }) => value === role),
  since: ({ since }) => since,
};

const MemberTable = ({ members, hasMore }: MemberTableProps) => {
  const { rows, headerOf, isSorted } = useSortedRows(members, columns);
  const actionsOf = useActions();
  return (
    <TableScroll label="Members" minWidth={560}>
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
          {useProgressiveRows(rows).map((member) => (
            <MemberRow key={member.operatorId} member={member} {...actionsOf(member)} />
          ))}
        </Table.Tbody>
        <SortedCaption isSorted={isSorted} hasMore={hasMore} />
      </Table>
    </TableScroll>
  );
};

type Actions = { readonly mayChange: boolean; readonly mayLeave: boolean };

type MemberRowProps = Actions & { readonly member: Member };

const MemberRow = memo(({ member, mayChange, mayLeave }: MemberRowProps) => {
  const { role, grants, since } = member;
  return (
    <Table.Tr>
      <RowHeader>
        <Person {...member} />
      </RowHeader>
      <Table.Td>
        {mayChange ? <RoleSelect member={member} /> : <Badge variant="light">{role}</Badge>}
        <Granted grants={grants} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={since} />
      </Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end">
          {mayChange && role === 'viewer' && <FoldersButton member={member} />}
          {mayLeave ? (
            <LeaveButton member={member} />
          ) : (
            mayChange && <RemoveButton member={member} />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
});
MemberRow.displayName = 'MemberRow';

/**
 * Owners change members, and everybody may leave. In local trusted mode the operator stays the owner of every company, and in an
 * archived one all stays as it is.
 */
const useActions = (): ((member: Member) => Actions) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  const can = useCan();
  const isLocal = session.mode === 'local_trusted';
  return ({ operatorId }) => {
    const isOwn = operatorId === session.operator.id;
    return {
      mayChange: can.manage && !(isLocal && isOwn),
      mayLeave: isOwn && !isLocal && company.status === 'active',
    };
  };
};
