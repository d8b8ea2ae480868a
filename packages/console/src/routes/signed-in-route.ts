import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { isSignedOut, mustEnrol } from '../api/problems.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { rootRoute } from './root-route.ts';

/** The parent of all pages that need a session; without one it redirects to the login and back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(sessionQuery),
        queryClient.ensureQueryData(companiesQuery),
      ]);
    } catch (error) {
      if (isSignedOut(error)) {
        redirect({
          to: '/login',
          search: location.href === '/' ? {} : { next: location.href },
          throw: true,
        });
      }
      if (mustEnrol(error)) {
        redirect({ to: '/enrol', throw: true });
      }
      throw error;
    }
  },
  // Loaded with the page: those without a session do not need it.
  component: lazyRouteComponent(() => import('../app/app-layout.tsx'), 'AppLayout'),
});
