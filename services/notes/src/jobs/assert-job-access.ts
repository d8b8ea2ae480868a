import { AppError, findGrantBeyond, type HeldGrants } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';

/** Throws 403 for other callers' jobs if the caller is an agent. Operators see all jobs of the company. */
export const assertJobAccess = (caller: Author, owner: Author): void => {
  if (caller.kind === 'agent' && (owner.kind !== 'agent' || owner.id !== caller.id)) {
    throw new AppError('role_insufficient', 'An agent sees only its own jobs.');
  }
};

/** Throws 403 if a job reaches further than the caller. Which folders those are, the caller may not know. */
export const assertReachesJob = (held: HeldGrants, ofJob: HeldGrants): void => {
  if (findGrantBeyond(held, ofJob)) {
    throw new AppError('folder_not_granted', 'The job reaches further than this credential.');
  }
};
