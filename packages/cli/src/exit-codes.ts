import { ProblemError } from '@commonplace/client';
import { ConfigError } from '@commonplace/config';
import { isUnreachable } from './describe-error.ts';
import { CommandFailure, UsageError } from './errors.ts';
import { isPage, isTransient } from './retry-until-done.ts';

/** What the exit codes mean; docs/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  denied: 5,
  unavailable: 6,
} as const;

const codeOfStatus: Readonly<Record<number, number>> = {
  401: exitCodes.denied,
  403: exitCodes.denied,
  409: exitCodes.conflict,
  410: exitCodes.conflict,
  412: exitCodes.conflict,
};

/** That something is not there. Any other 404 is of a server that is not Commonplace, or lacks the route. */
const missing: ReadonlySet<string> = new Set(['not_found', 'note_deleted']);

/** That an argument is not valid, so that the same command fails again; other 400s are of the program. */
const usageCodes: ReadonlySet<string> = new Set([
  'validation_failed',
  'ambiguous_target',
  'malformed_header',
  'company_required',
]);

/** Returns the exit code for an error of a command. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommandFailure) {
    return error.exitCode;
  }
  if (error instanceof UsageError || error instanceof ConfigError) {
    return exitCodes.usage;
  }
  if (error instanceof ProblemError && (isPage(error) || !isTransient(error))) {
    return codeOfProblem(error);
  }
  return hasNoResponse(error) ? exitCodes.unavailable : exitCodes.failed;
};

const codeOfProblem = ({ code, status }: ProblemError): number => {
  if (usageCodes.has(code)) {
    return exitCodes.usage;
  }
  return missing.has(code) ? exitCodes.notFound : (codeOfStatus[status] ?? exitCodes.failed);
};

/** A server that is unavailable or busy, or that cannot be reached. */
const hasNoResponse = (error: unknown): boolean =>
  error instanceof ProblemError ||
  isUnreachable(error) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
