import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ActivityFilter } from '../api/company-queries.ts';
import { companyRoute } from './company-route.ts';
import { textParam } from './search-params.ts';

const beginRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/begin',
  component: lazyRouteComponent(() => import('../pages/begin/begin-page.tsx'), 'BeginPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/activity',
  validateSearch: (search): ActivityFilter => ({
    ...textParam('actor', search),
    ...textParam('action', search),
    ...textParam('entityId', search),
  }),
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

/** First steps, members, activity and settings of a company. */
export const companyRoutes = [beginRoute, membersRoute, activityRoute, settingsRoute] as const;
