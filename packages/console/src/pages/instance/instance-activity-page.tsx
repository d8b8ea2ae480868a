import { Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { IconActivity } from '@tabler/icons-react';
import {
  instanceActivityQuery,
  type InstanceActivityFilter,
} from '../../api/instance-activity-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ExactTime } from '../../components/exact-time.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import {
  describeInstanceAction,
  describeInstanceDetail,
  instanceActions,
  type InstanceAction,
} from './describe-instance-action.ts';

const actionNames = Object.keys(instanceActions) as InstanceAction[];

/** The audit log of accounts, filtered in the address: the operator's own, for administrators everyone's. */
export const InstanceActivityPage = () => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const filter = useSearch({ from: '/signed-in/instance/activity' });
  return (
    <>
      <PageHeader
        title="Account changes"
        description={
          session.operator.isAdmin
            ? 'Audit log of all accounts: administrators, passwords, factors, passkeys and identities. Kept for a year.'
            : 'What you changed, and what was changed in your account. Kept for a year.'
        }
      />
      <ActivityFilters filter={filter} />
      <Activity filter={filter} />
    </>
  );
};

type FilterProps = { readonly filter: InstanceActivityFilter };

const ActivityFilters = ({ filter }: FilterProps) => {
  const change: (next: InstanceActivityFilter) => void = useChangeSearch();
  return (
    <Group mb="md" align="end">
      <FilterSelect
        label="Change"
        unset="Any change"
        searchable
        data={actionNames.map((value) => ({ value, label: describeInstanceAction(value) }))}
        value={filter.action}
        onChange={(value) => change({ action: actionNames.find((each) => each === value) })}
      />
    </Group>
  );
};

const Activity = ({ filter }: FilterProps) => {
  const query = useInfiniteQuery(instanceActivityQuery(filter));
  return (
    <ListBody
      query={query}
      found={{ noun: 'change', filter }}
      empty={<EmptyState icon={IconActivity} title="No changes" />}
    >
      {(entries) => (
        <TableScroll label="Account changes" minWidth={640}>
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Change</Table.Th>
                <Table.Th>Account</Table.Th>
                <Table.Th>By</Table.Th>
                <Table.Th>Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((entry) => (
                <ActivityRow key={entry.id} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </ListBody>
  );
};

const ActivityRow = ({ entry }: { readonly entry: Schema<'InstanceActivityEntry'> }) => {
  const { action, actor, operator, detail, at } = entry;
  const text = describeInstanceDetail(detail);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {describeInstanceAction(action)}
        </Text>
        {text !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {text}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{operator.email}</Table.Td>
      <Table.Td>{actor.email ?? (actor.kind === 'shell' ? 'pnpm operator' : 'System')}</Table.Td>
      <Table.Td>
        <ExactTime at={at} />
      </Table.Td>
    </Table.Tr>
  );
};
