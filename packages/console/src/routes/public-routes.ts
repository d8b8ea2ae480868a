import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { isSignedOut } from '../api/problems.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';
import { visitorQuery } from '../api/visitor-query.ts';
import { isOutsideConsole, safeNext } from '../app/session/safe-next.ts';
import { rootRoute } from './root-route.tsx';
import { textParam } from './search-params.ts';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search): { next?: string; error?: string } => ({
    ...textParam('next', search),
    ...textParam('error', search),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(signInOptionsQuery),
  // With a session, or in local trusted mode, there is no need to sign in; a refusal is shown all the same.
  beforeLoad: async ({ context, search }) => {
    const request = context.queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const session = await request.catch((error) => {
      if (isSignedOut(error)) {
        return null;
      }
      throw error;
    });
    if (session && search.error === undefined) {
      const href = safeNext(search.next);
      redirect({ href, reloadDocument: isOutsideConsole(href), throw: true });
    }
  },
  component: lazyPage(() => import('../pages/sign-in/login-page.tsx'), 'LoginPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyPage(() => import('../pages/sign-in/setup-page.tsx'), 'SetupPage'),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  loader: ({ context: { queryClient } }): Promise<unknown> =>
    Promise.all([
      queryClient.fetchQuery({ ...visitorQuery, staleTime: 0 }),
      queryClient.ensureQueryData(signInOptionsQuery),
    ]),
  component: lazyPage(() => import('../pages/sign-in/invite-page.tsx'), 'InvitePage'),
});

const handoverRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/handover',
  loader: ({ context }) => context.queryClient.ensureQueryData(signInOptionsQuery),
  component: lazyPage(() => import('../pages/sign-in/handover-page.tsx'), 'HandoverPage'),
});

const enrolmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enrol',
  validateSearch: (search): { next?: string } => textParam('next', search),
  beforeLoad: async ({ context }) => {
    const request = context.queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await request.catch((error) => {
      if (isSignedOut(error)) {
        redirect({ to: '/login', throw: true });
      }
      throw error;
    });
  },
  component: lazyPage(() => import('../pages/sign-in/enrolment-page.tsx'), 'EnrolmentPage'),
});

const confirmedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirmed',
  component: lazyPage(() => import('../pages/sign-in/confirmed-page.tsx'), 'ConfirmedPage'),
});

/** The pages that need no session; enrolment is for those who may open nothing else. */
export const publicRoutes = [
  loginRoute,
  setupRoute,
  inviteRoute,
  handoverRoute,
  enrolmentRoute,
  confirmedRoute,
] as const;
