import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

const agentsMax = 50;
const runsPerAgent = 5;

/** The latest runs of the agents of a company, newest first. The API lists runs by agent. */
export const recentRunsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'recent-runs'],
    queryFn: async ({ signal }) => {
      const { data: agents } = await api.get('/api/companies/{companyId}/agents', {
        params: { path: { companyId }, query: { limit: agentsMax } },
        signal,
      });
      const runs = await Promise.all(
        agents.items.map(async ({ id: agentId, name: agentName }) => {
          const { data } = await api.get('/api/agents/{agentId}/runs', {
            params: { path: { agentId }, query: { limit: runsPerAgent } },
            signal,
          });
          return data.items.map((run) => ({ ...run, agentName }));
        }),
      );
      return runs.flat().toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
    },
  });
