import type { components } from '../generated/api-types.ts';

type Problem = components['schemas']['Problem'];

/** The codes of docs/errors.md, and any that a newer server adds. */
export type ProblemCode = Problem['code'] | 'unexpected_answer' | (string & {});

/** What is wrong with one field of a request. */
export type FieldError = { readonly path: string; readonly message: string };

/** A response that is not a success: the problem of the API, with its stable `code`. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  /** Identifies the request in the server's logs; null when a proxy sent the response. */
  readonly requestId: string | null;
  /** The delay that the server requests, if any. */
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly FieldError[];
  /** The whole problem with its extra members, such as `current` of a failed precondition. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : unexpectedResponse(response);
    super(`${response.status} ${problem.code}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.status = response.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.requestId = response.headers.get('x-request-id') ?? problem.requestId ?? null;
    this.retryAfterSeconds = parseSeconds(response.headers.get('retry-after'));
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

/** The API sends seconds. A date can only come from a proxy, and is ignored. */
const parseSeconds = (header: string | null): number | null =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;

/** Checks only the members that this class reads, because newer servers may add others. */
const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'detail' in body &&
  typeof body.detail === 'string';

/** The problem of a response from a proxy, or of a 304, which has no body. */
const unexpectedResponse = (response: Response): ProblemBody => ({
  code: response.status === 304 ? 'not_modified' : 'unexpected_answer',
  detail:
    response.status === 304
      ? 'The copy of the caller is still current.'
      : `The response is not from the API: ${response.statusText || response.status}`,
});
