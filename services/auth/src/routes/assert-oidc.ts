import { AppError } from '@commonplace/contracts/core';
import type { Deps, Oidc } from '../deps.ts';

/** Returns the provider; 404 where none is configured. */
export const assertOidc = ({ oidc }: Pick<Deps, 'oidc'>): Oidc => {
  if (!oidc) {
    throw new AppError('not_found', 'Single sign-on is not configured on this instance.');
  }
  return oidc;
};
