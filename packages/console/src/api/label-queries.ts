import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { cursorOf, readAll } from './pages.ts';
import { keys } from './query-keys.ts';

/** More cannot be displayed as a tree. */
export const foldersMax = 2_000;
const folderPage = 200;

/** The folders with notes, each with the number of notes directly in it; the root is `''`. */
export const foldersQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'folders'],
    queryFn: ({ signal }) =>
      readAll(
        async (cursor) =>
          (
            await apiOf(companyId).get('/api/notes/folders', {
              params: { query: { limit: folderPage, ...cursorOf(cursor) } },
              signal,
            })
          ).data,
        foldersMax / folderPage,
      ),
  });

const suggestionsMax = 50;

/** Tags in use that start with a text, loaded at most once a minute. */
export const tagsQuery = (companyId: string, prefix: string) =>
  queryOptions({
    queryKey: keys.tags(companyId, prefix),
    queryFn: async ({ signal }) => {
      const { data } = await apiOf(companyId).get('/api/notes/tags', {
        params: { query: { limit: suggestionsMax, ...(prefix === '' ? {} : { prefix }) } },
        signal,
      });
      return data.items.map(({ tag }) => tag);
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
