import { queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { keys } from './query-keys.ts';

const found = { notes: 8, agents: 5 } as const;

/** The notes that match a text that is being typed, best match first, with excerpts. */
export const foundNotesQuery = (companyId: string, q: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'found', q],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { q, match: 'prefix', limit: found.notes } },
          signal,
        })
      ).data.items,
  });

/** The agents whose name matches a text. */
export const foundAgentsQuery = (companyId: string, q: string) =>
  queryOptions({
    queryKey: [...keys.agents(companyId), 'found', q],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/companies/{companyId}/agents', {
          params: { path: { companyId }, query: { q, limit: found.agents } },
          signal,
        })
      ).data.items,
  });
