import { asAppError } from './problem.ts';

/**
 * The 403 or 404 of the entity takes precedence over every other rejection of the request, because a handler may
 * reject a cursor, a date or a precondition before it looks for the entity. Only rejections pay for this lookup.
 * Errors that reveal nothing about the request (the mode of the instance, overload, an outage, a bug) stay as
 * they are.
 */
export const isRejection = (error: unknown): boolean => {
  const { status, code } = asAppError(error);
  return status < 500 && status !== 429 && code !== 'local_trusted';
};
