import type { RouteContract } from '../route-contract.ts';
import { cancelRunContract } from './cancel-run.ts';
import { createAgentContract } from './create-agent.ts';
import { createCompanyContract } from './create-company.ts';
import { createInviteContract } from './create-invite.ts';
import { createKeyContract } from './create-key.ts';
import { deleteInviteContract } from './delete-invite.ts';
import { finishRunContract } from './finish-run.ts';
import { getAgentContract } from './get-agent.ts';
import { getCompanyContract } from './get-company.ts';
import { getConnectionContract } from './get-connection.ts';
import { getMeContract } from './get-me.ts';
import { getOrgChartContract } from './get-org-chart.ts';
import { getRunContract } from './get-run.ts';
import { getUsageContract } from './get-usage.ts';
import { listActivityContract } from './list-activity.ts';
import { listAgentsContract } from './list-agents.ts';
import { listCompaniesContract } from './list-companies.ts';
import { listCompanyRunsContract } from './list-company-runs.ts';
import { listCompanyKeysContract } from './list-company-keys.ts';
import { listConnectionsContract } from './list-connections.ts';
import { listDirectoryContract } from './list-directory.ts';
import { listInvitesContract } from './list-invites.ts';
import { listKeysContract } from './list-keys.ts';
import { listMembersContract } from './list-members.ts';
import { listRunsContract } from './list-runs.ts';
import { listUsageReportsContract } from './list-usage-reports.ts';
import { pauseAgentContract } from './pause-agent.ts';
import { removeMemberContract } from './remove-member.ts';
import { renewRunContract } from './renew-run.ts';
import { resumeAgentContract } from './resume-agent.ts';
import { reportUsageContract } from './report-usage.ts';
import { revokeConnectionContract } from './revoke-connection.ts';
import { revokeKeyContract } from './revoke-key.ts';
import { rotateKeyContract } from './rotate-key.ts';
import { startRunContract } from './start-run.ts';
import { terminateAgentContract } from './terminate-agent.ts';
import { updateAgentContract } from './update-agent.ts';
import { updateCompanyContract } from './update-company.ts';
import { updateMemberContract } from './update-member.ts';

export * from './activity-entry.ts';
export * from './agent.ts';
export * from './api-key.ts';
export * from './budget.ts';
export * from './cancel-run.ts';
export * from './company.ts';
export * from './connection.ts';
export * from './create-agent.ts';
export * from './create-company.ts';
export * from './create-invite.ts';
export * from './create-key.ts';
export * from './delete-invite.ts';
export * from './finish-run.ts';
export * from './get-agent.ts';
export * from './get-company.ts';
export * from './get-connection.ts';
export * from './get-me.ts';
export * from './get-org-chart.ts';
export * from './get-run.ts';
export * from './get-usage.ts';
export * from './invite.ts';
export * from './list-activity.ts';
export * from './list-agents.ts';
export * from './list-companies.ts';
export * from './list-company-keys.ts';
export * from './list-company-runs.ts';
export * from './list-connections.ts';
export * from './list-directory.ts';
export * from './list-invites.ts';
export * from './list-keys.ts';
export * from './list-members.ts';
export * from './list-runs.ts';
export * from './list-usage-reports.ts';
export * from './member.ts';
export * from './pause-agent.ts';
export * from './remaining-cents.ts';
export * from './remove-member.ts';
export * from './renew-run.ts';
export * from './report-usage.ts';
export * from './resume-agent.ts';
export * from './revoke-connection.ts';
export * from './revoke-key.ts';
export * from './rotate-key.ts';
export * from './run.ts';
export * from './start-run.ts';
export * from './terminate-agent.ts';
export * from './update-agent.ts';
export * from './update-company.ts';
export * from './update-member.ts';
export * from './usage-report.ts';

/** Every public route of the agents service. */
export const agentsRoutes: readonly RouteContract[] = [
  listCompaniesContract,
  createCompanyContract,
  getCompanyContract,
  updateCompanyContract,
  listMembersContract,
  updateMemberContract,
  removeMemberContract,
  createInviteContract,
  listInvitesContract,
  deleteInviteContract,
  listActivityContract,
  getMeContract,
  listDirectoryContract,
  listAgentsContract,
  createAgentContract,
  getAgentContract,
  updateAgentContract,
  pauseAgentContract,
  resumeAgentContract,
  terminateAgentContract,
  getOrgChartContract,
  createKeyContract,
  listKeysContract,
  listCompanyKeysContract,
  revokeKeyContract,
  rotateKeyContract,
  listConnectionsContract,
  getConnectionContract,
  revokeConnectionContract,
  startRunContract,
  listCompanyRunsContract,
  listRunsContract,
  getRunContract,
  renewRunContract,
  finishRunContract,
  cancelRunContract,
  reportUsageContract,
  listUsageReportsContract,
  getUsageContract,
];
