import { queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './query-keys.ts';

const refreshMs = 15_000;

/** How many proposals are open. */
export const openProposalsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.proposals(companyId), 'open'],
    queryFn: async ({ signal }): Promise<number> =>
      (
        await apiOf(companyId).get('/api/notes/proposals', {
          params: { query: { state: 'open', limit: 1 } },
          signal,
        })
      ).data.open,
    refetchInterval: refreshMs,
  });
