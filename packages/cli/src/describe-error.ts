import { ProblemError, type FieldError } from '@commonplace/client';

/**
 * Formats an error: its message, and the reason that fetch puts into the cause. Each field that the server refuses has
 * a line of its own.
 */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error instanceof ProblemError && error.errors.length > 0) {
    return [error.message, ...error.errors.map(describeField)].join('\n');
  }
  const { cause } = error;
  const reason = cause instanceof Error ? (codeOf(cause) ?? cause.message) : undefined;
  return reason === undefined ? error.message : `${error.message} (${reason})`;
};

/** Whether no server responded: fetch throws a TypeError with a cause. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && error.cause !== undefined;

/** Returns the code of a system error, such as ECONNREFUSED. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const describeField = ({ path, message }: FieldError): string =>
  `  ${path || '/'} ${inWords(message)}`;

/** Messages of the schema library of the server, in words for a person at a shell. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^Too small: expected (?:string|array) to have >=1 .*/s, 'must not be empty'],
  [/^Too small: expected (?:string|array) to have >=?(\d+) (.*)/s, 'must have at least $1 $2'],
  [/^Too big: expected (?:string|array) to have <=?(\d+) (.*)/s, 'must have at most $1 $2'],
  [/^Too small: .*>=?(-?[\d.]+)/s, 'must be at least $1'],
  [/^Too big: .*<=?(-?[\d.]+)/s, 'must be at most $1'],
  [/^Invalid option: expected (.*)/s, 'must be $1'],
  [/^Invalid input: expected .*, received undefined/s, 'is missing'],
  [/^Invalid input: expected (\w+).*/s, 'has the wrong type: it must be $1'],
];

const inWords = (message: string): string => {
  const found = words.find(([pattern]) => pattern.test(message));
  return found === undefined ? message : message.replace(...found);
};
