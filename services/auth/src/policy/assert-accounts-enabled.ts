import { AppError, type DeploymentMode } from '@commonplace/contracts/core';

/** Throws 409 in local trusted mode, where every caller is the local board operator. */
export const assertAccountsEnabled = (mode: DeploymentMode): void => {
  if (mode === 'local_trusted') {
    throw new AppError(
      'local_trusted',
      'This instance runs in local trusted mode: there are no accounts to sign in to.',
    );
  }
};
