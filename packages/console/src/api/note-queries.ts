import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { byCursor, cursorOf, readAll } from './pages.ts';
import { keys } from './query-keys.ts';

/** Which notes a list shows. */
export type NoteFilter = {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly folder?: string | undefined;
  readonly show?: 'archived' | 'deleted' | 'conflicts' | undefined;
  /** The last changed come first unless said; a search has the best match first. */
  readonly sort?: 'createdAt' | 'title' | undefined;
  readonly isPinned?: boolean | undefined;
};

/** What the API is asked for a filter. */
const parametersOf = ({ q, tag, folder, show, sort, isPinned }: NoteFilter) => ({
  ...(q ? { q } : {}),
  ...(tag ? { tag: [tag] } : {}),
  ...(folder ? { folder } : {}),
  ...(sort ? { sort } : {}),
  ...(sort === 'title' ? { order: 'asc' as const } : {}),
  ...(isPinned === undefined ? {} : { pinned: isPinned }),
  ...(show === undefined ? { archived: false } : {}),
  ...(show === 'archived' ? { archived: true } : {}),
  ...(show === 'deleted' ? { deleted: 'only' as const } : {}),
  ...(show === 'conflicts' ? { conflicts: 'only' as const } : {}),
});

/** The notes of a company without their content, the last changed (or the best match) first. */
export const notesQuery = (companyId: string, filter: NoteFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { ...parametersOf(filter), ...cursorOf(pageParam) } },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The lists that a filter makes: the pinned ones apart, unless something is looked for. */
export const noteLists = (companyId: string, filter: NoteFilter) => {
  const isPlain = !filter.q && !filter.tag && !filter.show;
  return {
    pinned: isPlain ? notesQuery(companyId, { ...filter, isPinned: true }) : null,
    others: notesQuery(companyId, isPlain ? { ...filter, isPinned: false } : filter),
  };
};

const folderPagesMax = 5;

/**
 * The folders in use, by name. The API has no list of its own for them: they are those of the thousand
 * notes changed last, looked up at most once a minute.
 */
export const foldersQuery = (companyId: string) =>
  queryOptions({
    queryKey: keys.folders(companyId),
    queryFn: async ({ signal }) => {
      const notes = await readAll(
        async (cursor) =>
          (
            await apiOf(companyId).get('/api/notes', {
              params: { query: { limit: 200, ...cursorOf(cursor) } },
              signal,
            })
          ).data,
        folderPagesMax,
      );
      return [...new Set(notes.map(({ folder }) => folder).filter((folder) => folder !== ''))];
    },
    staleTime: 60_000,
  });

/** One note. */
export const noteQuery = (companyId: string, noteId: string) =>
  queryOptions({
    queryKey: keys.note(companyId, noteId),
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/notes/{id}', { params: { path: { id: noteId } }, signal }))
        .data,
  });

/** Every version of a note, the newest first. */
export const revisionsQuery = (companyId: string, noteId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.note(companyId, noteId), 'revisions'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/{id}/revisions', {
          params: { path: { id: noteId }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The text of one version. */
export const revisionQuery = (companyId: string, noteId: string, revision: number) =>
  queryOptions({
    queryKey: [...keys.note(companyId, noteId), 'revisions', revision],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes/{id}/revisions/{revision}', {
          params: { path: { id: noteId, revision } },
          signal,
        })
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A background synchronisation; looked at again until it has ended. */
export const syncJobQuery = (companyId: string, jobId: string) =>
  queryOptions({
    queryKey: keys.syncJob(companyId, jobId),
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/sync/{jobId}', { params: { path: { jobId } }, signal }))
        .data,
    refetchInterval: ({ state }) =>
      state.data && !['queued', 'running'].includes(state.data.status) ? false : 1_000,
  });
