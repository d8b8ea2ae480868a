import { Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconActivity } from '@tabler/icons-react';
import { activityQuery } from '../../api/company-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** What happened in the company, newest first. */
export const ActivityPage = () => {
  const query = useInfiniteQuery(activityQuery(useCompanyId()));
  return (
    <>
      <PageHeader title="Activity" />
      <ListBody query={query} empty={<EmptyState icon={IconActivity} title="Nothing yet" />}>
        {(entries) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map(({ id, action, actor, at }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Text ff="monospace" size="sm">
                      {action}
                    </Text>
                  </Table.Td>
                  <Table.Td>{actor.name}</Table.Td>
                  <Table.Td>
                    <RelativeTime at={at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListBody>
    </>
  );
};
