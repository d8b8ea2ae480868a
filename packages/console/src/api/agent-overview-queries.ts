import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { byCursor, cursorOf, itemsOf } from './pages.ts';
import { keys } from './query-keys.ts';

type Run = Schema<'Run'>;

const refreshMs = { run: 5_000, list: 10_000, nothing: 60_000 } as const;

/** So many running runs are shown. */
export const runsShown = 5;

const readRuns = async (
  companyId: string,
  query: { readonly agentId: string; readonly limit: number; readonly status?: Run['status'] },
  signal: AbortSignal,
): Promise<readonly Run[]> =>
  (
    await api.get('/api/companies/{companyId}/runs', {
      params: { path: { companyId }, query },
      signal,
    })
  ).data.items;

/** The runs of an agent that are running, newest first, at most one more than are shown; else its last one. */
export const presentRunsQuery = (companyId: string, agentId: string) =>
  queryOptions({
    queryKey: [...keys.runs(companyId, agentId), 'present'],
    queryFn: async ({ signal }): Promise<readonly Run[]> => {
      const running = await readRuns(
        companyId,
        { agentId, status: 'running', limit: runsShown + 1 },
        signal,
      );
      return running.length > 0 ? running : readRuns(companyId, { agentId, limit: 1 }, signal);
    },
    refetchInterval: refreshMs.run,
  });

/** The last run of an agent that failed; null if none did. */
export const lastFailureQuery = (companyId: string, agentId: string) =>
  queryOptions({
    queryKey: [...keys.runs(companyId, agentId), 'last-failure'],
    queryFn: async ({ signal }): Promise<Run | null> =>
      (await readRuns(companyId, { agentId, status: 'failed', limit: 1 }, signal))[0] ?? null,
    refetchInterval: refreshMs.list,
  });

const changesShown = 8;

/** The versions of notes that an agent wrote, newest first. */
export const agentChangesQuery = (companyId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'of-agent', agentId],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/activity', {
          params: { query: { author: agentId, limit: changesShown, ...cursorOf(pageParam) } },
          signal,
        })
      ).data,
    ...byCursor,
    // Pages that were added by Load more are not loaded again and again, and those without anything rarely.
    refetchInterval: ({ state: { data } }) => {
      if ((data?.pages.length ?? 0) <= 1) {
        return refreshMs.list;
      }
      return itemsOf(data).length === 0 && refreshMs.nothing;
    },
  });
