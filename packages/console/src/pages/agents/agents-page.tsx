import { Badge, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconRobot } from '@tabler/icons-react';
import { agentsQuery } from '../../api/agent-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';

const colours = { active: 'teal', paused: 'yellow', terminated: 'gray' } as const;

/** The agents of the company. */
export const AgentsPage = () => {
  const query = useInfiniteQuery(agentsQuery(useCompanyId()));
  return (
    <>
      <PageHeader title="Agents" />
      <ListBody query={query} empty={<EmptyState icon={IconRobot} title="No agents yet" />}>
        {(agents) => (
          <Table.ScrollContainer minWidth={320}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Status</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {agents.map(({ id, name, role, status }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td>{role}</Table.Td>
                    <Table.Td>
                      <Badge variant="light" color={colours[status]}>
                        {status}
                      </Badge>
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
