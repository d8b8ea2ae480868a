import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { allMembersQuery, type ActivityFilter } from '../../api/company-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { DayRange } from '../../components/day-range.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { ActivityTable } from './activity-table.tsx';
import { actions } from './describe-action.ts';
import { findShownId } from './find-shown-id.ts';

const route = getRouteApi('/signed-in/companies/$companyId/activity');

const entityKinds = [
  { noun: 'company', group: 'Company' },
  { noun: 'member', group: 'Members' },
  { noun: 'invite', group: 'Invites' },
  { noun: 'agent', group: 'Agents' },
  { noun: 'key', group: 'Keys' },
  { noun: 'connection', group: 'Connections' },
  { noun: 'run', group: 'Runs' },
  { noun: 'budget', group: 'Budgets' },
  { noun: 'notes', group: 'Notes' },
] as const;

/** The actions, grouped by the kind of entity. */
const groupedActions = entityKinds.map(({ noun, group }) => ({
  group,
  items: Object.entries(actions)
    .filter(([action]) => action.startsWith(`${noun}.`))
    .map(([value, label]) => ({ value, label })),
}));

/** The audit log of the company; its filters are in the address. */
export const ActivityPage = () => {
  const filter = route.useSearch();
  return (
    <>
      <PageHeader
        title="Activity"
        description="Audit log of this company, its members, agents and credentials. Changes of notes are in their histories, decisions on proposals under Proposals."
      />
      <ActivityFilters filter={filter} />
      <ActivityTable filter={filter} />
    </>
  );
};

const ActivityFilters = ({ filter }: { readonly filter: ActivityFilter }) => {
  const companyId = useCompanyId();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const { data: members = [] } = useQuery(allMembersQuery(companyId));
  const [isUnknown, setUnknown] = useState(false);
  const client = useQueryClient();
  const listed = () => client.getQueriesData({ queryKey: keys.activity(companyId) });
  const change: (next: ActivityFilter) => void = useChangeSearch();
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} maw={1_000} mb="md">
      <FilterSelect
        label="Actor"
        unset="Anyone"
        searchable
        data={[
          {
            group: 'Members',
            items: members.map(({ operatorId, name }) => ({ value: operatorId, label: name })),
          },
          { group: 'Agents', items: agents.map(({ id, name }) => ({ value: id, label: name })) },
        ]}
        value={filter.actor}
        onChange={(actor) => change({ actor: actor ?? undefined })}
      />
      <FilterSelect
        label="Action"
        unset="Any action"
        searchable
        data={groupedActions}
        value={filter.action}
        onChange={(action) => change({ action: action ?? undefined })}
      />
      <SearchField
        label="Entity ID"
        placeholder="Agent, key or run"
        value={filter.entityId}
        error={isUnknown && 'Nothing that was listed has this ID. All entities are shown.'}
        onChange={(text = '') => {
          const id = findShownId(text.trim(), listed());
          setUnknown(id === null);
          change({ entityId: id === null || id === '' ? undefined : id });
        }}
      />
      <DayRange from={filter.from} to={filter.to} onChange={change} />
    </SimpleGrid>
  );
};
