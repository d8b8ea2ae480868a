import type { components } from './api-types.ts';

type Problem = components['schemas']['Problem'];

/** The codes of docs/errors.md, and whatever a newer server may add to them. */
export type ProblemCode = Problem['code'] | 'unexpected_answer' | (string & {});

/** What is wrong with one field of a request. */
export type FieldError = { readonly path: string; readonly message: string };

/** Every answer that is no success: the problem of the API, with its stable `code`. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  /** Names the request in the logs of the server; null when something before it answered. */
  readonly requestId: string | null;
  /** How long the server asks to wait, where it says so. */
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly FieldError[];
  /** The whole problem with its extra members, such as `current` of a failed precondition. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : unexpectedAnswer(response);
    super(`${response.status} ${problem.code}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.status = response.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.requestId = response.headers.get('x-request-id') ?? problem.requestId ?? null;
    this.retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
    this.errors = problem.errors ?? [];
    this.problem = problem;
  }
}

type ProblemBody = Readonly<Record<string, unknown>> & {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly requestId?: string;
  readonly errors?: readonly FieldError[];
};

/** The API gives seconds; a date can only come from something in between. */
const secondsOf = (header: string | null): number | null =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;

/** Newer servers may add codes and members, so only what this class reads is looked at. */
const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'detail' in body &&
  typeof body.detail === 'string';

/** A proxy in between answered, or the answer was a 304, which has no body. */
const unexpectedAnswer = (response: Response): ProblemBody => ({
  code: response.status === 304 ? 'not_modified' : 'unexpected_answer',
  detail:
    response.status === 304
      ? 'What the caller holds is still current.'
      : `The answer is not one of the API: ${response.statusText || response.status}`,
});
