import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireSession } from './require-session.ts';
import { rootRoute } from './root-route.tsx';

/** The parent of all pages that need a session; without one it redirects to the login and back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ context: { queryClient }, location }) =>
    requireSession(queryClient, location.href),
  // Loaded with the page: those without a session do not need it.
  component: lazyPage(() => import('../app/shell/app-layout.tsx'), 'AppLayout'),
});
