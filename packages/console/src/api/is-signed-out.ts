import { ProblemError } from '@commonplace/client';

const codes = new Set(['credential_required', 'session_expired', 'invalid_token']);

/** Whether a failure says that nobody is signed in (any more). A wrong password is another matter. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError && codes.has(error.code);
