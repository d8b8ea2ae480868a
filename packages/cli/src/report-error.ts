import { ProblemError } from '@commonplace/client';
import { CommandFailure } from './errors.ts';
import { describeError } from './describe-error.ts';

/** Formats an error as one line of JSON: the problem of the API, or a code and a detail. */
export const errorAsJson = (error: unknown): string =>
  JSON.stringify({
    error:
      error instanceof ProblemError
        ? { ...error.problem, status: error.status }
        : {
            code: error instanceof CommandFailure ? error.code : nameOf(error),
            detail: describeError(error),
          },
  });

/** The names of our own errors; all others are failures. */
const nameOf = (error: unknown): string =>
  error instanceof Error
    ? ({ UsageError: 'usage', ConfigError: 'configuration' }[error.name] ?? 'failed')
    : 'failed';
