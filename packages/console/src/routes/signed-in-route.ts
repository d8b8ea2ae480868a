import { createRoute, redirect } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { isSignedOut } from '../api/is-signed-out.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { AppFrame } from '../app/app-frame.tsx';
import { rootRoute } from './root-route.ts';

/** Around everything for which one signs in; without a session, to the login and back. */
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
      throw error;
    }
  },
  component: AppFrame,
});
