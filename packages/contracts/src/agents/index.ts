import type { RouteContract } from '../route-contract.ts';
import { cancelRun } from './cancel-run.ts';
import { createAgent } from './create-agent.ts';
import { createCompany } from './create-company.ts';
import { createInvite } from './create-invite.ts';
import { createKey } from './create-key.ts';
import { deleteInvite } from './delete-invite.ts';
import { finishRun } from './finish-run.ts';
import { getAgent } from './get-agent.ts';
import { getCompany } from './get-company.ts';
import { getMe } from './get-me.ts';
import { getOrgChart } from './get-org-chart.ts';
import { getRun } from './get-run.ts';
import { listActivity } from './list-activity.ts';
import { listAgents } from './list-agents.ts';
import { listCompanies } from './list-companies.ts';
import { listCompanyRuns } from './list-company-runs.ts';
import { listInvites } from './list-invites.ts';
import { listKeys } from './list-keys.ts';
import { listMembers } from './list-members.ts';
import { listRuns } from './list-runs.ts';
import { pauseAgent } from './pause-agent.ts';
import { removeMember } from './remove-member.ts';
import { renewRun } from './renew-run.ts';
import { resumeAgent } from './resume-agent.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { startRun } from './start-run.ts';
import { terminateAgent } from './terminate-agent.ts';
import { updateAgent } from './update-agent.ts';
import { updateCompany } from './update-company.ts';
import { updateMember } from './update-member.ts';

export * from './activity-entry.ts';
export * from './agent.ts';
export * from './api-key.ts';
export * from './cancel-run.ts';
export * from './company.ts';
export * from './create-agent.ts';
export * from './create-company.ts';
export * from './create-invite.ts';
export * from './create-key.ts';
export * from './delete-invite.ts';
export * from './finish-run.ts';
export * from './get-agent.ts';
export * from './get-company.ts';
export * from './get-me.ts';
export * from './get-org-chart.ts';
export * from './get-run.ts';
export * from './invite.ts';
export * from './list-activity.ts';
export * from './list-agents.ts';
export * from './list-companies.ts';
export * from './list-company-runs.ts';
export * from './list-invites.ts';
export * from './list-keys.ts';
export * from './list-members.ts';
export * from './list-runs.ts';
export * from './member.ts';
export * from './pause-agent.ts';
export * from './remaining-cents.ts';
export * from './remove-member.ts';
export * from './renew-run.ts';
export * from './resume-agent.ts';
export * from './revoke-key.ts';
export * from './rotate-key.ts';
export * from './run.ts';
export * from './start-run.ts';
export * from './terminate-agent.ts';
export * from './update-agent.ts';
export * from './update-company.ts';
export * from './update-member.ts';

/** Every public route of the agents service. */
export const agentsRoutes: readonly RouteContract[] = [
  listCompanies,
  createCompany,
  getCompany,
  updateCompany,
  listMembers,
  updateMember,
  removeMember,
  createInvite,
  listInvites,
  deleteInvite,
  listActivity,
  getMe,
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  pauseAgent,
  resumeAgent,
  terminateAgent,
  getOrgChart,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  startRun,
  listCompanyRuns,
  listRuns,
  getRun,
  renewRun,
  finishRun,
  cancelRun,
];
