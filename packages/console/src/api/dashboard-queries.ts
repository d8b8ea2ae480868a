import { queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './query-keys.ts';

const notesShown = 6;

/** The notes that changed last. */
export const latestNotesQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'latest'],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { limit: notesShown } },
          signal,
        })
      ).data,
  });

/** Notes that keep the losing side of a conflict, until somebody decides. */
export const waitingConflictsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'conflicts-waiting'],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { conflicts: 'only', limit: 100 } },
          signal,
        })
      ).data,
  });
