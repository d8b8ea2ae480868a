import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

const refreshMs = { list: 5_000, number: 10_000 } as const;

/** The runs of a company, newest first, optionally of one status, refreshed periodically. */
export const companyRunsQuery = (companyId: string, status?: Schema<'Run'>['status']) =>
  infiniteQueryOptions({
    queryKey: [...keys.company(companyId), 'runs', 'list', status],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/runs', {
          params: {
            path: { companyId },
            query: { ...cursorOf(pageParam), ...(status ? { status } : {}) },
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
