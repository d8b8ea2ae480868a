import { ProblemError, type ProblemCode } from '../problem-error.ts';

/**
 * Errors that say nothing about the access of the caller: what a proxy or a portal responds in place of the API, and grants that
 * changed while the request was under way.
 */
const passingCodes: ReadonlySet<ProblemCode> = new Set(['unexpected_answer', 'folder_not_granted']);

/** Whether the API refused a request for a reason that lasts, by its code. Which of its errors last, their status says. */
export const isRefusal = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && !passingCodes.has(error.code);
