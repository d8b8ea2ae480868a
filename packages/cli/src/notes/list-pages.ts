import type { ApiClient, paths, Schema } from '@commonplace/client';
import { collectPages } from '../collect-pages.ts';

/** The most that one request returns. */
const pageItemsMax = 100;

/** The filters of `GET /api/notes`. */
export type ListQuery = NonNullable<paths['/api/notes']['get']['parameters']['query']>;

/** Notes of a list, and whether it goes on. */
export type ListedNotes = {
  readonly items: readonly Schema<'ListedNote'>[];
  readonly hasMore: boolean;
  /** Of a search: whether the notes have all words or any of them. */
  readonly matched?: 'all' | 'any';
  /** Of a search: false if notes are still being indexed. */
  readonly isComplete?: boolean;
};

/** Lists up to `limit` notes, in as many requests as that takes. */
export const listNotes = async (
  api: ApiClient,
  query: ListQuery,
  limit: number,
): Promise<ListedNotes> => {
  let search: Pick<ListedNotes, 'matched' | 'isComplete'> = {};
  const listed = await collectPages(
    async (page) => {
      const { data } = await api.get('/api/notes', { params: { query: { ...query, ...page } } });
      const { matched } = data;
      const isComplete = search.isComplete === false ? false : data.isComplete;
      search = { ...(matched && { matched }), ...(isComplete !== undefined && { isComplete }) };
      return data;
    },
    { limit, pageItemsMax },
  );
  return { ...listed, ...search };
};
