import { createRoute, redirect } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { isSignedOut, mustEnrol } from '../api/problems.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { AppLayout } from '../app/app-layout.tsx';
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
  component: AppLayout,
});
