import type { Schema } from '@commonplace/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

const agentsMax = 50;
const runsPerAgent = 5;

type Run = Schema<'Run'> & { readonly agentName: string };

/** The latest runs of the agents of a company. */
export type RecentRuns = {
  /** The newest first. */
  readonly runs: readonly Run[];
  /** Whether every run that may be running is among them. */
  readonly hasAllRunning: boolean;
};

const dayMs = 24 * 60 * 60 * 1000;

/** The latest runs of the agents of a company, newest first. The API lists runs by agent. */
export const recentRunsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'recent-runs'],
    queryFn: async ({ signal }): Promise<RecentRuns> => {
      const { data: agents } = await api.get('/api/companies/{companyId}/agents', {
        params: { path: { companyId }, query: { limit: agentsMax } },
        signal,
      });
      const pages = await Promise.all(
        agents.items.map(async ({ id: agentId, name: agentName }) => {
          const { data } = await api.get('/api/agents/{agentId}/runs', {
            params: { path: { agentId }, query: { limit: runsPerAgent } },
            signal,
          });
          return {
            runs: data.items.map((run) => ({ ...run, agentName })),
            hasAllRunning: data.nextCursor === null || isOver(data.items.at(-1)),
          };
        }),
      );
      return {
        runs: pages
          .flatMap(({ runs }) => runs)
          .toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1)),
        hasAllRunning: agents.nextCursor === null && pages.every((page) => page.hasAllRunning),
      };
    },
  });

/** A run goes on for a day at most, so none that began before this one is running. */
const isOver = (oldest: Schema<'Run'> | undefined): boolean =>
  oldest !== undefined && Date.parse(oldest.startedAt) < Date.now() - dayMs;
