import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { proposalStates, type ProposalFilter } from '../../api/proposal-queries.ts';
import { FilterSelect } from '../../components/filter-select.tsx';

type ProposalFiltersProps = { readonly companyId: string; readonly filter: ProposalFilter };

const states = [...proposalStates.filter((state) => state !== 'open'), 'all'];

/** The filters of the inbox, which are in the address. */
export const ProposalFilters = ({ companyId, filter }: ProposalFiltersProps) => {
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const { state = 'all', agentId, runId } = filter;
  const change = (next: Readonly<Record<string, string | undefined>>): void => {
    const changed = { ...next, proposal: undefined };
    void navigate({
      to: '.',
      search: (search: object): object => ({ ...search, ...changed }),
      replace: true,
    });
  };
  return (
    <Group align="end" mb="md">
      <FilterSelect
        label="State"
        unset="open"
        data={states}
        value={state === 'open' ? null : state}
        w={160}
        onChange={(value) => change({ state: value ?? undefined })}
      />
      <FilterSelect
        label="Agent"
        unset="All agents"
        searchable
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        value={agentId}
        w={200}
        onChange={(value) => change({ agent: value ?? undefined })}
      />
      {runId !== undefined && (
        <Button
          variant="default"
          aria-label={`Run ${runId.slice(-8)}: show all runs`}
          onClick={() => change({ run: undefined })}
        >
          Run {runId.slice(-8)} ×
        </Button>
      )}
    </Group>
  );
};
