import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { keys } from './query-keys.ts';

/** UTC days, both included. */
export type DayRange = { readonly from: string; readonly to: string };

const refreshMs = 60_000;
const agentsShown = 10;

type By = 'day' | 'agent' | 'model';

/** By day, of one agent if it is given. */
type UsageFilter = DayRange & { readonly agentId?: string };

/** Runs, costs and tokens by day, or of the costliest agents or models. */
export const usageQuery = (companyId: string, filter: UsageFilter, by: By) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'usage', by, filter],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/api/companies/{companyId}/usage', {
        params: { path: { companyId }, query: { ...filter, by, ...limitOf(by, agentsShown) } },
        signal,
      });
      return data;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

/** The address of the same as a file. */
export const usageFile = (companyId: string, { from, to }: DayRange, by: By): string =>
  `/api/companies/${companyId}/usage?${new URLSearchParams({ from, to, by, format: 'csv', ...limitOf(by, '1000') })}`;

/** Days are all of the range. */
const limitOf = <Limit>(by: By, limit: Limit): { readonly limit?: Limit } =>
  by === 'day' ? {} : { limit };

/** How many notes changed by day. */
export const noteChangesQuery = (companyId: string, range: DayRange) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'changes', range],
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/notes/activity/days', { params: { query: range }, signal }))
        .data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
