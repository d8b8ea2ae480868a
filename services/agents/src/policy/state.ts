import {
  AppError,
  type AgentStatus,
  type CompanyStatus,
  type DeploymentMode,
} from '@commonplace/contracts/core';

/** Throws 409 for a terminated agent; termination is final. */
export const assertNotTerminated = (status: AgentStatus): void => {
  if (status === 'terminated') {
    throw new AppError('agent_terminated');
  }
};

/** Throws 409 unless the agent is active. */
export const assertAgentActive = (status: AgentStatus): void => {
  assertNotTerminated(status);
  if (status === 'paused') {
    throw new AppError('agent_paused');
  }
};

/** Throws 409 for an archived company. */
export const assertCompanyActive = (status: CompanyStatus): void => {
  if (status === 'archived') {
    throw new AppError('company_archived');
  }
};

/** Throws 409 in local trusted mode, which has no accounts to invite. */
export const assertInvitesEnabled = (mode: DeploymentMode): void => {
  if (mode === 'local_trusted') {
    throw new AppError('local_trusted');
  }
};

/** A key is active until it is revoked or expires. */
export const isActiveKey = (
  key: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): boolean => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
