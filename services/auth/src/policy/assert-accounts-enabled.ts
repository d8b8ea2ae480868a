import { AppError, type DeploymentMode } from '@commonplace/contracts/core';

/** In local trusted mode nobody signs in: everybody is the local board operator already (409). */
export const assertAccountsEnabled = (mode: DeploymentMode): void => {
  if (mode === 'local_trusted') {
    throw new AppError(
      'local_trusted',
      'This instance runs in local trusted mode: there are no accounts to sign in to.',
    );
  }
};
