import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import {
  pauseAgentRoute,
  resumeAgentRoute,
  terminateAgentRoute,
  createAgentRoute,
  getAgentRoute,
  getMeRoute,
  listAgentsRoute,
  listDirectoryRoute,
  updateAgentRoute,
} from './agents.ts';
import {
  cancelRunRoute,
  finishRunRoute,
  getRunRoute,
  listCompanyRunsRoute,
  listRunsRoute,
  renewRunRoute,
  startRunRoute,
} from './runs.ts';
import {
  createCompanyRoute,
  getCompanyRoute,
  listCompaniesRoute,
  updateCompanyRoute,
} from './companies.ts';
import { getConnectionRoute, listConnectionsRoute, revokeConnectionRoute } from './connections.ts';
import { createInviteRoute, deleteInviteRoute, listInvitesRoute } from './invites.ts';
import {
  createKeyRoute,
  listCompanyKeysRoute,
  listKeysRoute,
  revokeKeyRoute,
  rotateKeyRoute,
} from './keys.ts';
import { internalRoutes } from './internal/index.ts';
import { listActivityRoute } from './activity.ts';
import { getOrgChartRoute } from './org-chart.ts';
import { listUsageReportsRoute, reportUsageRoute } from './usage-reports.ts';
import { getUsageRoute } from './usage.ts';
import { listMembersRoute, removeMemberRoute, updateMemberRoute } from './members.ts';

/** Every route of the service. */
export const routes = (deps: Deps): readonly Route[] => [
  listCompaniesRoute(deps),
  createCompanyRoute(deps),
  getCompanyRoute(deps),
  updateCompanyRoute(deps),
  listMembersRoute(deps),
  updateMemberRoute(deps),
  removeMemberRoute(deps),
  createInviteRoute(deps),
  listInvitesRoute(deps),
  deleteInviteRoute(deps),
  listActivityRoute(deps),
  getMeRoute(deps),
  listDirectoryRoute(deps),
  listAgentsRoute(deps),
  createAgentRoute(deps),
  getAgentRoute(deps),
  updateAgentRoute(deps),
  pauseAgentRoute(deps),
  resumeAgentRoute(deps),
  terminateAgentRoute(deps),
  getOrgChartRoute(deps),
  createKeyRoute(deps),
  listKeysRoute(deps),
  listCompanyKeysRoute(deps),
  revokeKeyRoute(deps),
  rotateKeyRoute(deps),
  listConnectionsRoute(deps),
  getConnectionRoute(deps),
  revokeConnectionRoute(deps),
  startRunRoute(deps),
  listCompanyRunsRoute(deps),
  listRunsRoute(deps),
  getRunRoute(deps),
  renewRunRoute(deps),
  finishRunRoute(deps),
  cancelRunRoute(deps),
  reportUsageRoute(deps),
  listUsageReportsRoute(deps),
  getUsageRoute(deps),
  ...internalRoutes(deps),
];
