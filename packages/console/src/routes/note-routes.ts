import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { prefetchHead } from '../api/known-heads.ts';
import { noteLists, prefetchNote, type NoteFilter } from '../api/note-queries.ts';
import { keys } from '../api/query-keys.ts';
import { LazyMarkdownEditor } from '../pages/notes/editor/lazy-markdown-editor.ts';
import type { PassagePlace } from '../api/passage-place.ts';
import { companyRoute } from './company-route.ts';
import { countParam, enumParam, textParam } from './search-params.ts';
import { beginNote } from '../pages/notes/editor/begun-notes.ts';

const filterOf = (search: Readonly<Record<string, unknown>>): NoteFilter => ({
  ...textParam('q', search),
  ...textParam('tag', search),
  ...textParam('folder', search),
  ...textParam('author', search),
  ...enumParam('sort', ['createdAt', 'title'] as const, search),
  ...enumParam('order', ['asc', 'desc'] as const, search),
  ...enumParam('show', ['archived', 'deleted', 'conflicts'] as const, search),
});

/** The version that is shown, and the two that are compared. */
type HistorySearch = {
  readonly version?: number;
  readonly older?: number;
  readonly newer?: number;
};

/** Where a note opens in its text. */
const placeOf = (search: Readonly<Record<string, unknown>>): PassagePlace => ({
  ...countParam('line', search),
  ...countParam('toLine', search),
  ...textParam('under', search),
});

const notesRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes',
  validateSearch: (search): NoteFilter & { readonly open?: 'export' } => ({
    ...filterOf(search),
    ...enumParam('open', ['export'] as const, search),
  }),
  loader: async ({ context: { queryClient }, params: { companyId }, location, cause }) => {
    await prefetchHead(queryClient, companyId);
    // Starts loading while the page renders. A page that is already open loads by itself.
    if (cause !== 'stay') {
      const { pinned, others } = noteLists(companyId, filterOf(location.search));
      void (pinned && queryClient.prefetchInfiniteQuery(pinned));
      void queryClient.prefetchInfiniteQuery(others);
    }
  },
  component: lazyPage(() => import('../pages/notes/list/notes-page.tsx'), 'NotesPage'),
});

/** How long a page waits for the code of its editor; then title and fields come first. */
const editorWaitMs = 3_000;

/** The code of the editor loads beside that of a page with it. The page comes without it if it is slow or cannot be loaded. */
const withEditor = async <Page>(page: Promise<Page>): Promise<Page> => {
  const editor = LazyMarkdownEditor.preload().catch(() => undefined);
  const waited = new Promise((resolve) => {
    setTimeout(resolve, editorWaitMs);
  });
  const [loaded] = await Promise.all([page, Promise.race([editor, waited])]);
  return loaded;
};

const newNoteRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/new',
  validateSearch: (search): { readonly folder?: string; readonly draft?: string } => ({
    ...textParam('folder', search),
    ...textParam('draft', search),
  }),
  // Each new note has a draft of its own, which its address finds again.
  beforeLoad: ({ params, search, preload }) => {
    if (search.draft === undefined && !preload) {
      // oxlint-disable-next-line typescript/only-throw-error -- the router takes it so
      throw redirect({
        to: '/companies/$companyId/notes/new',
        params,
        search: { ...search, draft: beginNote() },
        replace: true,
      });
    }
  },
  component: lazyPage(
    () => withEditor(import('../pages/notes/editor/new-note-page.tsx')),
    'NewNotePage',
  ),
});

const brokenLinksRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/broken-links',
  validateSearch: (search): { readonly folder?: string } => textParam('folder', search),
  component: lazyPage(
    () => import('../pages/notes/broken-links/broken-links-page.tsx'),
    'BrokenLinksPage',
  ),
});

const noteRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/$noteId',
  validateSearch: (search) => ({
    ...enumParam('beside', ['authors'] as const, search),
    ...enumParam('open', ['move', 'delete'] as const, search),
    ...placeOf(search),
  }),
  loader: async ({ context: { queryClient }, params: { companyId, noteId }, cause }) => {
    if (cause === 'enter') {
      void prefetchNote(queryClient, companyId, noteId);
    }
    await prefetchHead(queryClient, companyId);
  },
  component: lazyPage(() => import('../pages/notes/read/note-page.tsx'), 'NotePage'),
});

const editNoteRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/$noteId/edit',
  // The note loads beside the code of the page, which waits for it: after a placeholder React waits 300 ms before it shows
  // what replaces it. A note that is there already is shown, and brought up to date beside it.
  loader: async ({ context: { queryClient }, params: { companyId, noteId }, cause }) => {
    if (cause !== 'stay') {
      const loaded = prefetchNote(queryClient, companyId, noteId);
      const isThere = queryClient.getQueryData(keys.note(companyId, noteId)) !== undefined;
      await (isThere ? undefined : loaded);
    }
  },
  component: lazyPage(
    () => withEditor(import('../pages/notes/editor/edit-note-page.tsx')),
    'EditNotePage',
  ),
});

const historyRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/$noteId/history',
  validateSearch: (search): HistorySearch => ({
    ...countParam('version', search),
    ...countParam('older', search),
    ...countParam('newer', search),
  }),
  component: lazyPage(() => import('../pages/notes/history/history-page.tsx'), 'HistoryPage'),
});

const conflictRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes/$noteId/conflict',
  component: lazyPage(() => import('../pages/notes/conflict/conflict-page.tsx'), 'ConflictPage'),
});

const syncJobsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/sync-jobs',
  validateSearch: (search): { readonly job?: string } => textParam('job', search),
  component: lazyPage(() => import('../pages/sync-jobs/sync-jobs-page.tsx'), 'SyncJobsPage'),
});

/** The notes of a company. */
export const noteRoutes = [
  notesRoute,
  newNoteRoute,
  brokenLinksRoute,
  noteRoute,
  editNoteRoute,
  historyRoute,
  conflictRoute,
  syncJobsRoute,
] as const;
