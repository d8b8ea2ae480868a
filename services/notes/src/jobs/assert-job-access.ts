import { AppError } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';

/** Throws 403 for other callers' jobs if the caller is an agent. Operators see all jobs of the company. */
export const assertJobAccess = (caller: Author, owner: Author): void => {
  if (caller.kind === 'agent' && (owner.kind !== 'agent' || owner.id !== caller.id)) {
    throw new AppError('role_insufficient', 'An agent sees only its own jobs.');
  }
};
