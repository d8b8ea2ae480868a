import { queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './query-keys.ts';

const notesShown = 6;

/** The most recently changed notes. */
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

/** Conflict copies of notes, which exist until the conflict is resolved. */
export const unresolvedConflictsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'unresolved-conflicts'],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { conflicts: 'only', limit: 100 } },
          signal,
        })
      ).data,
  });
