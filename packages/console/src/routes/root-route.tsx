import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, redirect } from '@tanstack/react-router';
import { explainOffline } from '../app/shell/explain-offline.ts';
import { PageAnnouncer } from '../app/shell/page-announcer.tsx';

/** The context of every route. */
export type RouterContext = {
  readonly queryClient: QueryClient;
  /** Loads the code of these routes if it can; returns whether it is there. */
  readonly loadCode: (routeIds: readonly string[]) => Promise<boolean>;
  /** The address of the page that is shown; null before the first one. */
  readonly shownHref: () => string | null;
};

/** The root of all routes. A page is either public or inside the layout for signed-in operators. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  // Without a connection, a page that was never visited cannot be shown: the present one stays.
  beforeLoad: async ({ context, matches, preload }) => {
    const href = context.shownHref();
    if (preload || navigator.onLine || href === null) {
      return;
    }
    if (!(await context.loadCode(matches.map(({ routeId }) => routeId)))) {
      explainOffline();
      redirect({ href, replace: true, resetScroll: false, throw: true });
    }
  },
  component: () => (
    <>
      <Outlet />
      <PageAnnouncer />
    </>
  ),
});
