import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { agentRunsQuery } from '../../api/agent-queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { RunTable } from '../runs/run-table.tsx';

/** The runs of one agent. */
export const AgentRuns = ({ agent }: { readonly agent: Schema<'Agent'> }) => {
  const query = useInfiniteQuery(agentRunsQuery(agent.companyId, agent.id));
  return (
    <ListBody
      query={query}
      found={{ noun: 'run' }}
      empty={<EmptyState icon={IconPlayerPlay} title="No runs yet" />}
    >
      {(runs, hasMore) => (
        <RunTable hasMore={hasMore} runs={runs.map((run) => ({ ...run, agentName: agent.name }))} />
      )}
    </ListBody>
  );
};
