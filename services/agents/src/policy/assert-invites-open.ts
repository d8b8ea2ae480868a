import { AppError, type DeploymentMode } from '@commonplace/contracts/core';

/** Nobody signs in in local trusted mode, so there is nobody to invite (409). */
export const assertInvitesOpen = (mode: DeploymentMode): void => {
  if (mode === 'local_trusted') {
    throw new AppError('local_trusted');
  }
};
