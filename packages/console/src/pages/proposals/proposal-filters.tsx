import { Button, Group, SimpleGrid } from '@mantine/core';
import { proposalStates, type ProposalFilter } from '../../api/proposal-queries.ts';
import { AgentFilter } from '../../components/agent-filter.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';

type ProposalFiltersProps = { readonly companyId: string; readonly filter: ProposalFilter };

const states = [...proposalStates.filter((state) => state !== 'open'), 'all'];

/** The filters of the inbox, which are in the address. */
export const ProposalFilters = ({ companyId, filter }: ProposalFiltersProps) => {
  const changeSearch = useChangeSearch();
  const { state = 'all', agentId, runId } = filter;
  const change = (next: object): void => changeSearch({ ...next, proposal: undefined });
  return (
    <Group align="end" mb="md">
      <SimpleGrid cols={2} flex="0 1 400px">
        <FilterSelect
          label="State"
          unset="open"
          data={states}
          value={state === 'open' ? null : state}
          onChange={(value) => change({ state: value ?? undefined })}
        />
        <AgentFilter
          companyId={companyId}
          agentId={agentId}
          onChange={(agent) => change({ agent })}
        />
      </SimpleGrid>
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
