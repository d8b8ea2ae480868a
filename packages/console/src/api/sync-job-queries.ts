import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

const refreshMs = 1_000;

const isUnfinished = ({ status }: { readonly status: string }): boolean =>
  ['queued', 'running'].includes(status);

/** The background synchronisations of a company, newest first, refreshed while one of the first page goes on. */
export const syncJobsQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: keys.syncJobs(companyId),
    queryFn: async ({ pageParam, signal }) =>
      (await apiOf(companyId).get('/api/sync', { params: { query: cursorOf(pageParam) }, signal }))
        .data,
    ...byCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.length === 1 && state.data.pages[0]?.items.some(isUnfinished)
        ? refreshMs
        : false,
  });

/** A background synchronisation, refreshed until it has finished. */
export const syncJobQuery = (companyId: string, jobId: string) =>
  queryOptions({
    queryKey: keys.syncJob(companyId, jobId),
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/sync/{jobId}', { params: { path: { jobId } }, signal }))
        .data,
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data) ? false : refreshMs),
  });
