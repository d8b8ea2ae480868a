import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** The connections of a company, or of one agent, including revoked and expired ones. */
export const connectionsQuery = (companyId: string, agentId?: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.connections(companyId), agentId ?? 'all'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/connections', {
          params: {
            path: { companyId },
            query: { ...cursorOf(pageParam), ...(agentId === undefined ? {} : { agentId }) },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });
