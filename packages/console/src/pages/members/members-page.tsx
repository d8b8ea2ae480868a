import { Badge, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconUsers } from '@tabler/icons-react';
import { membersQuery } from '../../api/company-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** Who belongs to the company. */
export const MembersPage = () => {
  const query = useInfiniteQuery(membersQuery(useCompanyId()));
  return (
    <>
      <PageHeader title="Members" />
      <ListBody query={query} empty={<EmptyState icon={IconUsers} title="Nobody is a member" />}>
        {(members) => (
          <Table.ScrollContainer minWidth={420}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>E-mail</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Since</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {members.map(({ operatorId, name, email, role, since }) => (
                  <Table.Tr key={operatorId}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td>{email}</Table.Td>
                    <Table.Td>
                      <Badge variant="light">{role}</Badge>
                    </Table.Td>
                    <Table.Td>
                      <RelativeTime at={since} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListBody>
    </>
  );
};
