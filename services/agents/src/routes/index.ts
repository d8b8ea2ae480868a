import { routesOf, type Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import * as activity from './activity.ts';
import * as agents from './agents.ts';
import * as companies from './companies.ts';
import * as connections from './connections.ts';
import * as invites from './invites.ts';
import * as keys from './keys.ts';
import * as members from './members.ts';
import * as orgChart from './org-chart.ts';
import * as runs from './runs.ts';
import * as usageReports from './usage-reports.ts';
import * as usage from './usage.ts';
import { internalRoutes } from './internal/index.ts';

/** Every route of the service. */
export const routes = (deps: Deps): readonly Route[] => [
  ...routesOf(
    deps,
    activity,
    agents,
    companies,
    connections,
    invites,
    keys,
    members,
    orgChart,
    runs,
    usageReports,
    usage,
  ),
  ...internalRoutes(deps),
];
