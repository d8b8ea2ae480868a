import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import type { ActivityFilter } from '../api/company-queries.ts';
import { companyRoute } from './company-route.ts';
import { dayParam, enumParam, textParam } from './search-params.ts';

const beginRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/begin',
  component: lazyPage(() => import('../pages/begin/begin-page.tsx'), 'BeginPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/members',
  validateSearch: (search): { open?: 'invite'; q?: string } => ({
    ...enumParam('open', ['invite'] as const, search),
    ...textParam('q', search),
  }),
  component: lazyPage(() => import('../pages/members/members-page.tsx'), 'MembersPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/activity',
  validateSearch: (search): ActivityFilter => ({
    ...textParam('actor', search),
    ...textParam('action', search),
    ...textParam('entityId', search),
    ...dayParam('from', search),
    ...dayParam('to', search),
  }),
  component: lazyPage(() => import('../pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const credentialsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/credentials',
  validateSearch: (search) => ({
    ...enumParam('show', ['unused', 'expiring', 'all'] as const, search),
    ...textParam('agent', search),
  }),
  component: lazyPage(() => import('../pages/connections/credentials-page.tsx'), 'CredentialsPage'),
});

const proposalsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/proposals',
  validateSearch: (search) => ({
    ...textParam('state', search),
    ...textParam('agent', search),
    ...textParam('run', search),
    ...textParam('proposal', search),
  }),
  component: lazyPage(() => import('../pages/proposals/proposals-page.tsx'), 'ProposalsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/settings',
  component: lazyPage(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

/** First steps, members, credentials, proposals, activity and settings of a company. */
export const companyRoutes = [
  beginRoute,
  membersRoute,
  credentialsRoute,
  proposalsRoute,
  activityRoute,
  settingsRoute,
] as const;
