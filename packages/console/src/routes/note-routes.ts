import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { companyRoute } from './company-route.ts';

const notesRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/notes',
  component: lazyRouteComponent(() => import('../pages/notes/notes-page.tsx'), 'NotesPage'),
});

/** The notes of a company. */
export const noteRoutes = [notesRoute] as const;
