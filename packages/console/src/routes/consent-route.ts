import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireSession } from './require-session.ts';
import { rootRoute } from './root-route.tsx';

/** The page on which an operator lets an app in. It has no navigation: there is one thing to decide. */
export const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect/consent/$uid',
  beforeLoad: ({ context: { queryClient }, location }) =>
    requireSession(queryClient, location.href),
  component: lazyPage(() => import('../pages/consent/consent-page.tsx'), 'ConsentPage'),
});
