import { AppError } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';

/** Agents have to do with their own jobs only; operators and owners with all of the company's. */
export const assertJobAccess = (caller: Author, owner: Author): void => {
  if (caller.kind === 'agent' && (owner.kind !== 'agent' || owner.id !== caller.id)) {
    throw new AppError('role_insufficient', 'An agent sees only its own jobs.');
  }
};
