import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { prefetchHead } from './known-heads.ts';
import { byCursor, cursorOf, isShortList, readAll, reloadedWhileShort } from './pages.ts';
import { retryUnavailable } from './problems.ts';
import { keys } from './query-keys.ts';

/** The filter of a note list. */
export type NoteFilter = {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly folder?: string | undefined;
  /** Who made the current version. */
  readonly author?: string | undefined;
  readonly show?: 'archived' | 'deleted' | 'conflicts' | undefined;
  /** By default the most recently changed note is first, in a search the best match. */
  readonly sort?: 'createdAt' | 'title' | undefined;
  /** By default titles ascend, and times descend. */
  readonly order?: 'asc' | 'desc' | undefined;
  readonly isPinned?: boolean | undefined;
};

/** Whether the last word of a search may go on: it has no space or quotation mark behind it. */
const isBeingTyped = (q: string): boolean => /[^\s"]$/u.test(q);

/** The query parameters of a filter. */
const parametersOf = ({ q, tag, folder, author, show, sort, order, isPinned }: NoteFilter) => ({
  ...(q ? { q } : {}),
  ...(q && isBeingTyped(q) ? { match: 'prefix' as const } : {}),
  ...(tag ? { tag: [tag] } : {}),
  ...(folder ? { folder } : {}),
  ...(author ? { author } : {}),
  ...(sort ? { sort } : {}),
  ...(order || sort === 'title' ? { order: order ?? ('asc' as const) } : {}),
  ...(isPinned === undefined ? {} : { pinned: isPinned }),
  ...(show === undefined ? { archived: false } : {}),
  ...(show === 'archived' ? { archived: true } : {}),
  // A search shows a copy if only its text matches.
  ...(q || show === 'conflicts' || show === 'deleted' ? {} : { conflicts: 'exclude' as const }),
  ...(show === 'deleted' ? { deleted: 'only' as const } : {}),
  ...(show === 'conflicts' ? { conflicts: 'only' as const } : {}),
});

const incompleteEveryMs = 5_000;

/** False if notes were still being indexed when a search was made. */
export const isSearchComplete = (
  pages: readonly { readonly isComplete?: boolean }[] = [],
): boolean => pages.every(({ isComplete }) => isComplete !== false);

/** The notes of a company without their content, most recently changed (or best match) first. */
export const notesQuery = (companyId: string, filter: NoteFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes', {
          params: { query: { ...parametersOf(filter), ...furtherPage(pageParam) } },
          signal,
        })
      ).data,
    ...reloadedWhileShort,
    // A search that did not have all notes is repeated until it has.
    refetchInterval: (query) =>
      retryUnavailable(query) ||
      (isShortList(query) && !isSearchComplete(query.state.data?.pages) && incompleteEveryMs),
    // Another order replaces the rows when it has arrived, so that the header keeps the focus.
    placeholderData: (data, previous) =>
      previous &&
      unsorted(previous.queryKey) === unsorted([...keys.notes(companyId), 'list', filter])
        ? data
        : undefined,
    ...byCursor,
  });

/** The first page is short, so that it is there soon. */
const furtherPage = (cursor: string | undefined) =>
  cursor === undefined ? {} : { ...cursorOf(cursor), limit: 200 };

/** A key of a list, whatever its order. */
const unsorted = (key: readonly unknown[]): string =>
  JSON.stringify(key, (name, value: unknown) =>
    ['sort', 'order'].includes(name) ? undefined : value,
  );

/** The lists of a filter: without search, tag, author or view, pinned notes have a list of their own. */
export const noteLists = (companyId: string, filter: NoteFilter) => {
  const isPlain = !filter.q && !filter.tag && !filter.author && !filter.show;
  return {
    pinned: isPlain ? notesQuery(companyId, { ...filter, isPinned: true }) : null,
    others: notesQuery(companyId, isPlain ? { ...filter, isPinned: false } : filter),
  };
};

/** So many notes are read at once, and held, for an action on all of them. */
export const notesAtOnceMax = 10_000;

type Reading = { readonly onFound?: (count: number) => void; readonly signal: AbortSignal };

/** Every note of a filter, pinned ones included, up to `notesAtOnceMax`; `onFound` gets how many there are so far. */
export const readMatchingNotes = async (
  companyId: string,
  filter: NoteFilter,
  reading: Reading,
) => {
  const { notes, ...found } = await readNotes(companyId, parametersOf(filter), reading);
  return { notes: withoutTwins(notes), ...found };
};

/**
 * Every note in a folder and below it, archived ones and conflict copies included, up to `notesAtOnceMax`. In an order that no change
 * of a note moves, so that what is changed meanwhile is on some page.
 */
export const readNotesOfFolder = (companyId: string, folder: string, reading: Reading) =>
  readNotes(companyId, { folder, sort: 'createdAt' }, reading);

const readNotes = async (
  companyId: string,
  query: ReturnType<typeof parametersOf>,
  { onFound, signal }: Reading,
) => {
  let count = 0;
  let isComplete = false;
  let isIndexed = true;
  const notes = await readAll(async (cursor) => {
    const { data } = await apiOf(companyId).get('/api/notes', {
      params: { query: { ...query, ...cursorOf(cursor), limit: notesOfPage } },
      signal,
    });
    count += data.items.length;
    isComplete = data.nextCursor === null;
    isIndexed &&= isSearchComplete([data]);
    onFound?.(count);
    return data;
  }, notesAtOnceMax / notesOfPage);
  return { notes, isComplete, isIndexed };
};

const notesOfPage = 200;

/** The latest note of an agent; null means none that nobody else has changed since. */
export const latestNoteOfQuery = (companyId: string, agentId: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'latest', agentId],
    queryFn: async ({ signal }) => {
      const { data } = await apiOf(companyId).get('/api/notes', {
        params: { query: { author: agentId, limit: 1 } },
        signal,
      });
      return data.items[0] ?? null;
    },
  });

/** The notes of a list without the conflict copies of notes that are in it: those have `conflictCopies`. */
export const withoutTwins = <
  Note extends { readonly id: string; readonly conflictOf: string | null },
>(
  notes: readonly Note[],
): readonly Note[] => {
  if (notes.every(({ conflictOf }) => conflictOf === null)) {
    return notes;
  }
  const ids = new Set(notes.map(({ id }) => id));
  return notes.filter(({ conflictOf }) => conflictOf === null || !ids.has(conflictOf));
};

/** The active conflict copies of a note, oldest first. */
export const conflictCopiesQuery = (companyId: string, noteId: string) =>
  queryOptions({
    queryKey: [...keys.note(companyId, noteId), 'conflicts'],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes/{id}/conflicts', {
          params: { path: { id: noteId } },
          signal,
        })
      ).data.items,
  });

/** One note. */
export const noteQuery = (companyId: string, noteId: string) =>
  queryOptions({
    queryKey: keys.note(companyId, noteId),
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/notes/{id}', { params: { path: { id: noteId } }, signal }))
        .data,
  });

/** Begins to load a note, behind the head of the feed. Never fails: the page reports what did. */
export const prefetchNote = async (
  client: QueryClient,
  companyId: string,
  noteId: string,
): Promise<void> => {
  await prefetchHead(client, companyId);
  await client.prefetchQuery(noteQuery(companyId, noteId));
};

/** Longer notes have authors beside their beginning only: a page has 1,000 lines. */
const blamePagesMax = 10;

/** Who wrote which lines of a version of a note. */
export const blameQuery = (companyId: string, noteId: string, revision: number) =>
  queryOptions({
    queryKey: [...keys.note(companyId, noteId), 'blame', revision],
    queryFn: async ({ signal }) => {
      const ranges: Schema<'BlameRange'>[] = [];
      let fromLine = 1;
      for (let page = 0; page < blamePagesMax; page += 1) {
        const { data } = await apiOf(companyId).get('/api/notes/{id}/blame', {
          params: { path: { id: noteId }, query: { fromLine } },
          signal,
        });
        ranges.push(...data.ranges);
        const last = data.ranges.at(-1)?.toLine ?? data.lines;
        if (last >= data.lines) {
          break;
        }
        fromLine = last + 1;
      }
      return ranges;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The notes of a title, the newest first; none for a text that cannot be one. */
export const notesOfTitleQuery = (companyId: string, title: string) =>
  queryOptions({
    queryKey: [...keys.notes(companyId), 'by-title', title],
    queryFn: async ({ signal }) =>
      (await apiOf(companyId).get('/api/notes/by-title', { params: { query: { title } }, signal }))
        .data,
  });

const linksPerPage = 200;

/** The links of a note and the notes that link to it; a page has some of each. */
export const noteLinksQuery = (companyId: string, noteId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.note(companyId, noteId), 'links'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/{id}/links', {
          params: {
            path: { id: noteId },
            query: { limit: linksPerPage, ...cursorOf(pageParam) },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The revisions of a note, newest first. */
export const revisionsQuery = (companyId: string, noteId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.note(companyId, noteId), 'revisions'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/{id}/revisions', {
          params: { path: { id: noteId }, query: furtherPage(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The newest two versions of a note without their content; of a deleted note its deletion comes first. */
export const newestVersionsQuery = (companyId: string, noteId: string) =>
  queryOptions({
    queryKey: [...keys.note(companyId, noteId), 'revisions', 'newest'],
    queryFn: async ({ signal }) => {
      const { data } = await apiOf(companyId).get('/api/notes/{id}/revisions', {
        params: { path: { id: noteId }, query: { limit: 2 } },
        signal,
      });
      return data.items;
    },
  });

/** One revision with its content. */
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
