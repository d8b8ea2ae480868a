import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { pauseAgentRoute, resumeAgentRoute, terminateAgentRoute } from './update-agent-status.ts';
import { cancelRunRoute } from './cancel-run.ts';
import { createAgentRoute } from './create-agent.ts';
import { createCompanyRoute } from './create-company.ts';
import { createInviteRoute } from './create-invite.ts';
import { createKeyRoute } from './create-key.ts';
import { deleteInviteRoute } from './delete-invite.ts';
import { finishRunRoute } from './finish-run.ts';
import { getAgentRoute } from './get-agent.ts';
import { getCompanyRoute } from './get-company.ts';
import { getMeRoute } from './get-me.ts';
import { getOrgChartRoute } from './get-org-chart.ts';
import { getRunRoute } from './get-run.ts';
import { transferLocalMembershipsRoute } from './internal/transfer-local-memberships.ts';
import { checkAgentRoute } from './internal/check-agent.ts';
import { checkOperatorCallerRoute } from './internal/check-operator-caller.ts';
import { findInviteRoute } from './internal/find-invite.ts';
import { listMembershipsRoute } from './internal/list-memberships.ts';
import { redeemInviteRoute } from './internal/redeem-invite.ts';
import { verifyKeyRoute } from './internal/verify-key.ts';
import { verifyRunRoute } from './internal/verify-run.ts';
import { listActivityRoute } from './list-activity.ts';
import { listAgentsRoute } from './list-agents.ts';
import { listCompaniesRoute } from './list-companies.ts';
import { listCompanyRunsRoute } from './list-company-runs.ts';
import { listInvitesRoute } from './list-invites.ts';
import { listKeysRoute } from './list-keys.ts';
import { listMembersRoute } from './list-members.ts';
import { listRunsRoute } from './list-runs.ts';
import { removeMemberRoute } from './remove-member.ts';
import { renewRunRoute } from './renew-run.ts';
import { revokeKeyRoute } from './revoke-key.ts';
import { rotateKeyRoute } from './rotate-key.ts';
import { startRunRoute } from './start-run.ts';
import { updateAgentRoute } from './update-agent.ts';
import { updateCompanyRoute } from './update-company.ts';
import { updateMemberRoute } from './update-member.ts';

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
  revokeKeyRoute(deps),
  rotateKeyRoute(deps),
  startRunRoute(deps),
  listCompanyRunsRoute(deps),
  listRunsRoute(deps),
  getRunRoute(deps),
  renewRunRoute(deps),
  finishRunRoute(deps),
  cancelRunRoute(deps),
  verifyKeyRoute(deps),
  verifyRunRoute(deps),
  listMembershipsRoute(deps),
  checkAgentRoute(deps),
  checkOperatorCallerRoute(deps),
  findInviteRoute(deps),
  redeemInviteRoute(deps),
  transferLocalMembershipsRoute(deps),
];
