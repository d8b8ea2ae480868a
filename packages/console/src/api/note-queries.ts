import { infiniteQueryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** The notes of a company without their content, the last changed first. */
export const notesQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'list'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });
