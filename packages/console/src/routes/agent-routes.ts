import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import type { AgentFilter } from '../api/agent-queries.ts';
import { companyRoute } from './company-route.ts';
import { ranges, type RangeSearch } from '../pages/dashboard/ranges.ts';
import { dayParam, enumParam, textParam } from './search-params.ts';

const dashboardRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/',
  validateSearch: (search): RangeSearch => ({
    ...enumParam(
      'range',
      ranges.map(({ value }) => value),
      search,
    ),
    ...dayParam('from', search),
    ...dayParam('to', search),
  }),
  component: lazyPage(() => import('../pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/agents',
  validateSearch: (search): AgentFilter & { readonly open?: 'new-agent' } => ({
    ...textParam('q', search),
    ...enumParam('status', ['active', 'paused', 'terminated'] as const, search),
    ...enumParam('open', ['new-agent'] as const, search),
  }),
  component: lazyPage(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/agents/$agentId',
  validateSearch: (search) => ({
    ...enumParam('tab', ['overview', 'keys', 'connections', 'runs', 'activity'] as const, search),
    ...enumParam('open', ['new-key', 'undo', 'edit'] as const, search),
  }),
  component: lazyPage(() => import('../pages/agents/agent-page.tsx'), 'AgentPage'),
});

const orgChartRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/org-chart',
  component: lazyPage(() => import('../pages/agents/org-chart-page.tsx'), 'OrgChartPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/runs',
  validateSearch: (search) => ({
    ...enumParam(
      'state',
      ['running', 'succeeded', 'failed', 'cancelled', 'expired'] as const,
      search,
    ),
    ...textParam('agent', search),
    ...dayParam('from', search),
    ...dayParam('to', search),
  }),
  component: lazyPage(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
});

const runRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/runs/$runId',
  validateSearch: (search) => ({
    ...textParam('undo', search),
    ...enumParam('open', ['cancel'] as const, search),
  }),
  component: lazyPage(() => import('../pages/runs/run-page.tsx'), 'RunPage'),
});

/** The dashboard, agents and runs. */
export const agentRoutes = [
  dashboardRoute,
  agentsRoute,
  agentRoute,
  orgChartRoute,
  runsRoute,
  runRoute,
] as const;
