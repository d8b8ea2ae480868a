import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { byCursor, cursorOf, reloadedWhileShort } from './pages.ts';
import { keys } from './query-keys.ts';

/** Links that a page shows at least, unless there are no more. */
const shownMin = 25;

/** Requests for a page. Each examines some thousand links, and may find none that is broken. */
const requestsMax = 10;

/** The links that lead to no note, in a folder and its subfolders or in all. */
export const brokenLinksQuery = (companyId: string, folder: string | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.brokenLinks(companyId, folder),
    queryFn: async ({ pageParam, signal }) => {
      const items: Schema<'BrokenLink'>[] = [];
      let cursor = pageParam;
      let isComplete = true;
      for (let request = 0; request < requestsMax; request += 1) {
        const query = { ...cursorOf(cursor), ...(folder === undefined ? {} : { folder }) };
        const { data } = await apiOf(companyId).get('/api/notes/broken-links', {
          params: { query },
          signal,
        });
        items.push(...data.items);
        cursor = data.nextCursor ?? undefined;
        isComplete &&= data.isComplete;
        if (cursor === undefined || items.length >= shownMin) {
          break;
        }
      }
      return { items, nextCursor: cursor ?? null, isComplete };
    },
    ...byCursor,
    ...reloadedWhileShort,
    // One comes back from a note in which a link was just mended.
    staleTime: 0,
  });
