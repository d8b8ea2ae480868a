import {
  AppError,
  type AgentStatus,
  type CompanyStatus,
  type DeploymentMode,
} from '@commonplace/contracts/core';

/** Terminated is final: nothing of the agent changes any more (409). */
export const assertNotTerminated = (status: AgentStatus): void => {
  if (status === 'terminated') {
    throw new AppError('agent_terminated');
  }
};

/** Only an active agent works (409). */
export const assertAgentActive = (status: AgentStatus): void => {
  assertNotTerminated(status);
  if (status === 'paused') {
    throw new AppError('agent_paused');
  }
};

/** Nothing is written into an archived company (409). */
export const assertCompanyActive = (status: CompanyStatus): void => {
  if (status === 'archived') {
    throw new AppError('company_archived');
  }
};

/** Nobody signs in in local trusted mode, so there is nobody to invite (409). */
export const assertInvitesEnabled = (mode: DeploymentMode): void => {
  if (mode === 'local_trusted') {
    throw new AppError('local_trusted');
  }
};

/** A key works until it is revoked or expires. */
export const isActiveKey = (
  key: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): boolean => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
