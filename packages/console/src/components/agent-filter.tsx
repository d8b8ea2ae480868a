import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../api/agent-queries.ts';
import { FilterSelect } from './filter-select.tsx';

type AgentFilterProps = {
  readonly companyId: string;
  readonly agentId: string | undefined;
  readonly onChange: (agentId: string | undefined) => void;
  readonly w?: number;
};

/** Filters a list by one of the agents of the company. */
export const AgentFilter = ({ companyId, agentId, onChange, ...look }: AgentFilterProps) => {
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  return (
    <FilterSelect
      label="Agent"
      unset="All agents"
      searchable
      data={agents.map(({ id, name }) => ({ value: id, label: name }))}
      value={agentId}
      onChange={(value) => onChange(value ?? undefined)}
      {...look}
    />
  );
};
