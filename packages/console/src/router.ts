import { modals } from '@mantine/modals';
import { createRouter } from '@tanstack/react-router';
import { makeQueryClient } from './app/query-client.ts';
import { ErrorPage } from './app/error-page.tsx';
import { NotFoundPage } from './app/not-found-page.tsx';
import { PageSkeleton } from './components/page-skeleton.tsx';
import { routeTree } from './routes/route-tree.ts';

/** Everything read from the API. */
export const queryClient = makeQueryClient(() => {
  // Several requests may be refused at once.
  leading ??= leadToLogin().finally(() => {
    leading = undefined;
  });
});
let leading: Promise<void> | undefined;

/** All addresses of the console. Pages are loaded when first visited, or when a link is hovered. */
export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // TanStack Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // What a page holds (a form, an editor, a mutation under way) belongs to what its address names.
  defaultRemountDeps: ({ params }) => params,
});

// A dialog belongs to the page that opened it. Filters that change the address in place keep it open.
router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
  const isOtherEntry = fromLocation?.state.__TSR_index !== toLocation.state.__TSR_index;
  if (fromLocation && (pathChanged || isOtherEntry)) {
    modals.closeAll();
  }
});

/**
 * The session is over: to the login, and back to here afterwards. Nothing read stays in memory, once
 * the page that shows it is gone.
 */
const leadToLogin = async (): Promise<void> => {
  const { pathname, href } = router.state.location;
  if (pathname !== '/login') {
    await router.navigate({ to: '/login', search: { next: href } });
  }
  queryClient.clear();
};

declare module '@tanstack/react-router' {
  // Declaration merging is how the router learns its own addresses.
  interface Register {
    router: typeof router;
  }
}
