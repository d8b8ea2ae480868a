import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { unresolvedConflictsQuery } from '../../api/dashboard-queries.ts';
import { runningRunsQuery } from '../../api/run-queries.ts';
import { TextLink } from '../../components/links.tsx';
import { Figure } from './figure.tsx';

const agentStates = ['active', 'paused', 'terminated'] as const;

/** Agents by status, running runs, unresolved conflicts. */
export const Figures = ({ companyId }: { readonly companyId: string }) => {
  const agents = useQuery(allAgentsQuery(companyId));
  const runs = useQuery(runningRunsQuery(companyId));
  const conflicts = useQuery(unresolvedConflictsQuery(companyId));
  const params = { companyId };
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      {agentStates.map((state) => (
        <Figure
          key={state}
          query={agents}
          count={(all) => all.filter(({ status }) => status === state).length}
        >
          <TextLink
            to="/companies/$companyId/agents"
            params={params}
            search={{ status: state }}
            size="sm"
          >
            {state} agents
          </TextLink>
        </Figure>
      ))}
      <Figure query={runs} count={(running) => running}>
        <TextLink
          to="/companies/$companyId/runs"
          params={params}
          search={{ state: 'running' }}
          size="sm"
        >
          running runs
        </TextLink>
      </Figure>
      <Figure
        query={conflicts}
        count={({ items, nextCursor }) => `${items.length}${nextCursor === null ? '' : '+'}`}
      >
        <TextLink
          to="/companies/$companyId/notes"
          params={params}
          search={{ show: 'conflicts' }}
          size="sm"
        >
          unresolved conflicts
        </TextLink>
      </Figure>
    </SimpleGrid>
  );
};
