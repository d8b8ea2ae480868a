import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { companyRoute } from './company-route.ts';

const dashboardRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/dashboard-page.tsx'), 'DashboardPage'),
});

const agentsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage'),
});

const runsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: '/runs',
  component: lazyRouteComponent(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
});

/** The dashboard, the agents and what they do. */
export const agentRoutes = [dashboardRoute, agentsRoute, runsRoute] as const;
