import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/is-signed-out.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { safeNext } from '../app/safe-next.ts';
import { rootRoute } from './root-route.ts';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  // Whoever is signed in, or needs not be, goes straight in.
  beforeLoad: async ({ context, search }) => {
    const asked = context.queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const session = await asked.catch((error) => {
      if (isSignedOut(error)) {
        return null;
      }
      throw error;
    });
    if (session) {
      redirect({ href: safeNext(search.next), throw: true });
    }
  },
  component: lazyRouteComponent(() => import('../pages/login-page.tsx'), 'LoginPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/setup-page.tsx'), 'SetupPage'),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  component: lazyRouteComponent(() => import('../pages/invite-page.tsx'), 'InvitePage'),
});

/** The pages for which nobody is signed in yet. */
export const publicRoutes = [loginRoute, setupRoute, inviteRoute] as const;
