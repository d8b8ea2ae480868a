import { companiesQuery, companyQuery } from './api/company-queries.ts';
import { endedSession } from './api/ended-session.ts';
import { prefetchHead } from './api/known-heads.ts';
import { lastCompany } from './api/last-company.ts';
import { prefetchNote } from './api/note-queries.ts';
import { sessionQuery } from './api/session-queries.ts';
import { unsavedWork } from './api/unsaved-work.ts';
import { modals } from './components/modals.ts';
import { createRouter } from '@tanstack/react-router';
import { nextOf } from './app/session/safe-next.ts';
import { clearSessionData } from './app/session/clear-session-data.ts';
import { createQueryClient } from './app/query-client.ts';
import { ErrorPage } from './app/shell/error-page.tsx';
import { NotFoundPage } from './app/shell/not-found-page.tsx';
import { PendingPage } from './app/shell/pending-page.tsx';
import type { LazyPage } from './app/lazy-page.tsx';
import { routeTree } from './routes/route-tree.ts';
import { signedInRoute } from './routes/signed-in-route.ts';

/** The cache of API responses. */
export const queryClient = createQueryClient({
  onSignedOut: () => {
    // Several requests may fail at the same time.
    ending ??= endSession().finally(() => {
      ending = undefined;
    });
  },
  onMustEnrol: () => {
    const { href, pathname } = router.state.location;
    // A page or dialog with unsaved work stays, and says itself why it is not saved.
    if (!unsavedWork.exists() && modals.current() === null && pathname !== '/enrol') {
      void router.navigate({ to: '/enrol', search: nextOf(href) });
    }
  },
});
let ending: Promise<void> | undefined;

/** The router. Pages are loaded on the first visit, or when a link is hovered. */
export const router = createRouter({
  routeTree,
  context: {
    queryClient,
    loadCode: (routeIds) => loadCode(routeIds),
    shownHref: () => shownHref(),
  },
  defaultPreload: 'intent',
  // TanStack Query decides what is stale.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // The state of a page (form, editor, running mutation) belongs to the entity in its address.
  defaultRemountDeps: ({ params }) => params,
});

const shownHref = (): string | null => router.state.resolvedLocation?.href ?? null;

const loadCode = async (routeIds: readonly string[]): Promise<boolean> => {
  const pages = routeIds.flatMap((id) => lazyPageOf(id) ?? []);
  await Promise.all(pages.map(async (page) => page.preload?.()));
  return pages.every((page) => page.isLoaded());
};

/**
 * Begins to load the first page before anything is rendered: its code, the session, its company, and the note that it is of.
 * The routes find them loading, or load them again if that failed.
 */
export const loadFirstPage = (): void => {
  const matches = firstMatches();
  if (!matches.some(({ routeId }) => routeId === signedInRoute.id) || isShellOfPublicPages()) {
    return;
  }
  void queryClient.prefetchQuery(sessionQuery);
  void queryClient.prefetchQuery(companiesQuery);
  const { routeId = '', params = {} } = matches.at(-1) ?? {};
  const { companyId, noteId } = params as { readonly companyId?: string; readonly noteId?: string };
  if (companyId !== undefined) {
    void queryClient.prefetchQuery(companyQuery(companyId));
    void (noteId !== undefined && prefetchNote(queryClient, companyId, noteId));
    void (routeId.includes('/notes') && prefetchHead(queryClient, companyId));
  }
  // After the requests: a browser opens six connections to a host, and a page has more files.
  void loadCode(matches.map(({ routeId: id }) => id));
};

/** The routes of the first page. The home page leads to the dashboard of the company opened last on this device. */
const firstMatches = () => {
  const companyId = router.latestLocation.pathname === '/' ? lastCompany.read() : null;
  return router.matchRoutes(
    companyId === null
      ? router.latestLocation
      : router.buildLocation({ to: '/companies/$companyId', params: { companyId } }),
  );
};

/** Whether the server saw no session, and so painted nothing that only operators have. */
const isShellOfPublicPages = (): boolean =>
  document.querySelector('.shell[data-shell="public"]') !== null;

/** The component of a route, if its code is loaded on the first visit. */
const lazyPageOf = (routeId: string): LazyPage | null => {
  const routes: Readonly<Record<string, { readonly options: { readonly component?: unknown } }>> =
    router.routesById;
  const component = routes[routeId]?.options.component;
  return typeof component === 'function' && 'isLoaded' in component
    ? (component as LazyPage)
    : null;
};

// Navigation closes dialogs. Filters that replace the address keep them open.
router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
  const isOtherEntry = fromLocation?.state.__TSR_index !== toLocation.state.__TSR_index;
  if (fromLocation && (pathChanged || isOtherEntry)) {
    modals.closeAll();
  }
});

/** Where the page has unsaved work it stays, and the operator signs in on it. */
const endSession = async (): Promise<void> => {
  if (unsavedWork.exists() && (await endedSession.open())) {
    await queryClient.invalidateQueries();
  } else {
    await redirectToLogin();
  }
};

/**
 * Opens the login page after the session has ended, with this page as the next one, and removes all
 * loaded data from memory.
 */
const redirectToLogin = async (): Promise<void> => {
  if (router.state.location.pathname !== '/login') {
    // Not the address that the router has: a new note that was saved shows its own.
    const { pathname, search, hash } = window.location;
    // Unsaved text of a note stays in its draft.
    await router.navigate({
      to: '/login',
      search: { next: `${pathname}${search}${hash}` },
      ignoreBlocker: true,
    });
  }
  clearSessionData(queryClient);
};

declare module '@tanstack/react-router' {
  // Declaration merging gives the router the types of its routes.
  interface Register {
    router: typeof router;
  }
}
