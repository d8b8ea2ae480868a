import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** The agents of a company. */
export const agentsQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.agents(companyId), 'list'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/agents', {
          params: { path: { companyId }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });
