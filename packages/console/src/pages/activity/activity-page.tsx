import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { membersQuery, type ActivityFilter } from '../../api/company-queries.ts';
import { itemsOf } from '../../api/pages.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ActivityTable } from './activity-table.tsx';
import { actions } from './describe-action.ts';

const things = [
  { noun: 'company', group: 'Company' },
  { noun: 'member', group: 'Members' },
  { noun: 'invite', group: 'Invites' },
  { noun: 'agent', group: 'Agents' },
  { noun: 'key', group: 'Keys' },
  { noun: 'run', group: 'Runs' },
] as const;

/** The actions by the kind of thing they are done to. */
const groupedActions = things.map(({ noun, group }) => ({
  group,
  items: Object.entries(actions)
    .filter(([action]) => action.startsWith(`${noun}.`))
    .map(([value, label]) => ({ value, label })),
}));

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The audit of the company; its filters are in the address. */
export const ActivityPage = () => {
  const { actor, action, entityId } = useSearch({ strict: false });
  const filter: ActivityFilter = { actor, action, entityId };
  return (
    <>
      <PageHeader title="Activity" description="Who did what, written as it happened" />
      <ActivityFilters filter={filter} />
      <ActivityTable filter={filter} />
    </>
  );
};

const ActivityFilters = ({ filter }: { readonly filter: ActivityFilter }) => {
  const companyId = useCompanyId();
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const members = itemsOf(useInfiniteQuery(membersQuery(companyId)).data);
  const change = (next: ActivityFilter): void => {
    void navigate({ to: '.', search: { ...filter, ...next }, replace: true });
  };
  const changeEntity = useDebouncedCallback(
    (text: string) => change({ entityId: isId(text.trim()) ? text.trim() : undefined }),
    250,
  );
  return (
    <Group mb="md" align="end">
      <Select
        label="Who"
        placeholder="Everybody"
        searchable
        clearable
        data={[
          {
            group: 'Members',
            items: members.map(({ operatorId, name }) => ({ value: operatorId, label: name })),
          },
          { group: 'Agents', items: agents.map(({ id, name }) => ({ value: id, label: name })) },
        ]}
        value={filter.actor ?? null}
        onChange={(actor) => change({ actor: actor ?? undefined })}
      />
      <Select
        label="What"
        placeholder="Everything"
        searchable
        clearable
        data={groupedActions}
        value={filter.action ?? null}
        onChange={(action) => change({ action: action ?? undefined })}
      />
      <TextInput
        label="Id of a thing"
        placeholder="Agent, key, run…"
        defaultValue={filter.entityId ?? ''}
        onChange={(event) => changeEntity(event.currentTarget.value)}
      />
    </Group>
  );
};
