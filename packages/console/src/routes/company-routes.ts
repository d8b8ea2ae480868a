import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ActivityFilter } from '../api/company-queries.ts';
import { companyRoute } from './company-route.ts';

const membersRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/activity',
  validateSearch: (search): ActivityFilter =>
    Object.fromEntries(
      ['actor', 'action', 'entityId'].flatMap((name) =>
        typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [],
      ),
    ),
  component: lazyRouteComponent(
    () => import('../pages/activity/activity-page.tsx'),
    'ActivityPage',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings-page.tsx'), 'SettingsPage'),
});

/** The people of a company, what they did, and the company itself. */
export const companyRoutes = [membersRoute, activityRoute, settingsRoute] as const;
