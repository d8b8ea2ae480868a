import { routesIn } from '../routes-in.ts';
import * as activity from './activity.ts';
import * as agents from './agents.ts';
import * as companies from './companies.ts';
import * as connections from './connections.ts';
import * as directory from './directory.ts';
import * as invites from './invites.ts';
import * as keys from './keys.ts';
import * as members from './members.ts';
import * as runLifecycle from './run-lifecycle.ts';
import * as runs from './runs.ts';
import * as usage from './usage.ts';
import * as usageReports from './usage-reports.ts';

export * from './activity.ts';
export * from './agents.ts';
export * from './budgets.ts';
export * from './companies.ts';
export * from './connections.ts';
export * from './directory.ts';
export * from './invites.ts';
export * from './keys.ts';
export * from './members.ts';
export * from './run-lifecycle.ts';
export * from './runs.ts';
export * from './usage.ts';
export * from './usage-reports.ts';

/** Every public route of the agents service. */
export const agentsRoutes = routesIn(
  activity,
  agents,
  companies,
  connections,
  directory,
  invites,
  keys,
  members,
  runLifecycle,
  runs,
  usage,
  usageReports,
);
