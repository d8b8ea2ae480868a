import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { startOfDay } from './days.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

const refreshMs = { list: 5_000, number: 10_000 } as const;

/** The filter of a list of runs; the days are those of the browser's time zone, both included. */
export type RunFilter = {
  readonly status?: Schema<'Run'>['status'] | undefined;
  readonly agentId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const parametersOf = ({ status, agentId, from, to }: RunFilter) => ({
  ...(status ? { status } : {}),
  ...(agentId ? { agentId } : {}),
  ...(from ? { since: startOfDay(from) } : {}),
  ...(to ? { until: startOfDay(to, 1) } : {}),
});

/** The runs of a company, newest first, refreshed periodically. */
export const companyRunsQuery = (companyId: string, filter: RunFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.company(companyId), 'runs', 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/runs', {
          params: {
            path: { companyId },
            query: { ...cursorOf(pageParam), ...parametersOf(filter) },
          },
          signal,
        })
      ).data,
    ...byCursor,
    refetchInterval: refreshMs.list,
  });

/** How many runs of a company are running. */
export const runningRunsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'runs', 'running'],
    queryFn: async ({ signal }): Promise<number> =>
      (
        await api.get('/api/companies/{companyId}/runs', {
          params: { path: { companyId }, query: { limit: 1 } },
          signal,
        })
      ).data.running,
    refetchInterval: refreshMs.number,
  });

/** Failures are read far back: those of one agent must not hide another's. */
const limits = { failed: 100, running: 5 } as const;

/** The latest runs of one status. */
export const latestRunsQuery = (companyId: string, status: keyof typeof limits) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'runs', 'latest', status],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/companies/{companyId}/runs', {
          params: { path: { companyId }, query: { status, limit: limits[status] } },
          signal,
        })
      ).data,
    refetchInterval: refreshMs.number,
  });

/** One run, refreshed while it runs. */
export const runQuery = (companyId: string, runId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'runs', runId],
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/runs/{runId}', { params: { path: { runId } }, signal }))
        .data,
    refetchInterval: ({ state }) => state.data?.status === 'running' && refreshMs.list,
  });

/** A token is rejected within a second after the end of its run. */
const tokenGraceMs = 2_000;

/** What a run wrote: changes of notes with its token, newest first. */
export const runChangesQuery = (companyId: string, { id, startedAt, finishedAt }: Schema<'Run'>) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'of-run', id, finishedAt],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/activity', {
          params: {
            query: {
              runId: id,
              since: startedAt,
              ...(finishedAt === null
                ? {}
                : { until: new Date(Date.parse(finishedAt) + tokenGraceMs).toISOString() }),
              ...cursorOf(pageParam),
            },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** What a run has reported, newest first, refreshed while it runs. */
export const runReportsQuery = (companyId: string, { id, status }: Schema<'Run'>) =>
  infiniteQueryOptions({
    queryKey: [...keys.company(companyId), 'runs', id, 'reports', status],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/runs/{runId}/usage', {
          params: { path: { runId: id }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
    refetchInterval: status === 'running' ? refreshMs.list : (false as const),
  });
