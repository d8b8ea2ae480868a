import { ProblemError } from './problem-error.ts';

/** How often a request is retried, and with which delays. */
export type RetryPolicy = {
  /** Attempts in total; 1 never retries. */
  readonly attempts: number;
  /** The first delay is about this long, each further one twice as long. */
  readonly baseDelayMs: number;
  /** No delay is longer. When the server requests a longer one, its problem is thrown instead. */
  readonly maxDelayMs: number;
};

/** Five attempts within three seconds, unless the server requests longer delays. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseDelayMs: 200,
  maxDelayMs: 30_000,
};

const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * The contract makes these POSTs idempotent: syncs and reports of usage carry mutation ids, sessions, runs and conflicts end
 * only once, and the others change nothing.
 */
const idempotentPosts =
  /\/api\/(sync|context|auth\/logout|notes\/read|notes\/[^/]+\/conflicts\/[^/]+\/resolve|runs\/[^/]+\/(renew|finish|cancel|usage))$/;

/** These recognise a request that arrives again by its `Idempotency-Key`. */
const keyedPosts = /\/api\/notes(\/[^/]+\/restore)?$/;

/** Whether sending a request twice has the same effect as sending it once. Does not consume its body. */
export const isRepeatable = async (request: Request): Promise<boolean> => {
  const { method, headers } = request;
  const { pathname } = new URL(request.url);
  if (method === 'PATCH') {
    const isKeyed = headers.has('idempotency-key');
    return /\/api\/notes\/[^/]+$/.test(pathname) && (isKeyed || hasMutationId(request));
  }
  return (
    idempotentMethods.has(method) ||
    (method === 'POST' && idempotentPosts.test(pathname)) ||
    (method === 'POST' && keyedPosts.test(pathname) && headers.has('idempotency-key'))
  );
};

/** Whether the server recognises the edits of a note when they arrive again. */
const hasMutationId = async (request: Request): Promise<boolean> => {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'mutationId');
};

/** Whether a response calls for a retry: too many requests, or service unavailable. */
export const isRetryableResponse = ({ status }: Pick<Response, 'status'>): boolean =>
  status === 429 || status === 503;

/** What the delay after a failed attempt depends on. */
export type FailedAttempt = {
  /** 1 for the first. */
  readonly attempt: number;
  /** The value of the header, if the server sent one. */
  readonly retryAfter: string | null;
  readonly nowMs: number;
  /** Between 0 and 1: spreads the retries of many clients. */
  readonly random: number;
};

/** Returns the delay before the next attempt in milliseconds, or null when there is none. */
export const retryDelay = (
  policy: RetryPolicy,
  { attempt, retryAfter, nowMs, random }: FailedAttempt,
): number | null => {
  if (attempt >= policy.attempts) {
    return null;
  }
  const backOffMs = growing(policy.baseDelayMs, attempt - 1, policy.maxDelayMs);
  const retryAfterMs = parseRetryAfter(retryAfter, nowMs);
  if (retryAfterMs > policy.maxDelayMs) {
    return null;
  }
  // Jitter also follows Retry-After, or all clients would retry at the same moment.
  return retryAfterMs > 0 ? retryAfterMs + random * backOffMs : spread(backOffMs, random);
};

/** Doubles with each failure, up to a limit. */
const growing = (baseMs: number, failures: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** failures);

/** 50 to 100 % of a delay, by a random number between 0 and 1. */
const spread = (ms: number, random: number): number => ms * (0.5 + random / 2);

/** Accepts seconds or an HTTP date, as RFC 9110 does; 0 for an absent or invalid value. */
const parseRetryAfter = (value: string | null, nowMs: number): number => {
  if (value === null) {
    return 0;
  }
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return ms > 0 ? ms : 0;
};

/** What the delay before the next attempt of a loop depends on. */
export type ReconnectAttempt = {
  /** Consecutive attempts that failed or brought nothing new; 0 after a success. */
  readonly failures: number;
  /** The error of the last attempt, if it failed. */
  readonly error: unknown;
  /** Upper limit of the back-off, unless the server is unavailable. */
  readonly maxDelayMs: number;
  /** Between 0 and 1: spreads the attempts of many clients. */
  readonly random: number;
};

const baseReconnectDelayMs = 250;
/** Bounds how long a client takes to notice that the server is back. */
const unavailableDelayMaxMs = 3_000;
/** A longer Retry-After is cut to this. */
const retryAfterMaxMs = 10 * 60_000;

/**
 * Returns the delay before a loop's next attempt in milliseconds: exponential back-off with 50 to 100 %
 * of each step, in addition to the server's Retry-After.
 */
export const reconnectDelay = ({
  failures,
  error,
  maxDelayMs,
  random,
}: ReconnectAttempt): number => {
  const limitMs = isUnavailable(error) ? unavailableDelayMaxMs : maxDelayMs;
  const stepMs = growing(baseReconnectDelayMs, failures, limitMs);
  const retryAfterMs = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(retryAfterMaxMs, retryAfterMs) + spread(stepMs, random);
};

/** No response (fetch throws a TypeError), a timeout, or a gateway error. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof ProblemError
    ? [502, 503, 504].includes(error.status)
    : ['TypeError', 'TimeoutError'].includes((error as Partial<Error> | null)?.name ?? '');

/** Waits; rejects with the signal's reason as soon as the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // The reason is an Error unless the caller of abort() passed something else.
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
  });
