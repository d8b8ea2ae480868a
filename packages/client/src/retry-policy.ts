/** How often, and with which pauses, a request is sent again. */
export type RetryPolicy = {
  /** Tries in all; 1 never repeats. */
  readonly attempts: number;
  /** The first pause is about this long, each further one twice as long. */
  readonly baseDelayMs: number;
  /** No pause is longer; a server that asks for a longer one gets its problem thrown instead. */
  readonly maxDelayMs: number;
};

/** Five tries within three seconds, unless the server asks for longer pauses. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseDelayMs: 200,
  maxDelayMs: 30_000,
};

const repeatableMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Posts that the contract makes safe: mutation ids in a sync, and runs that only end once. */
const repeatablePosts = /\/api\/(sync|runs\/[^/]+\/(renew|finish|cancel))$/;

/** Whether sending a request twice has the effect of sending it once. */
export const isRepeatable = ({ method, url }: Pick<Request, 'method' | 'url'>): boolean =>
  repeatableMethods.has(method) ||
  (method === 'POST' && repeatablePosts.test(new URL(url).pathname));

/** Whether an answer says "later": too many requests, or a service that is away. */
export const asksToRetry = ({ status }: Pick<Response, 'status'>): boolean =>
  status === 429 || status === 503;

/** What the pause after a failed attempt depends on. */
export type FailedAttempt = {
  /** 1 for the first. */
  readonly attempt: number;
  /** The value of the header, if the server sent one. */
  readonly retryAfter: string | null;
  readonly nowMs: number;
  /** Between 0 and 1: spreads the retries of many clients. */
  readonly random: number;
};

/** The pause before the next attempt, or null when there should be none. */
export const pauseAfter = (
  policy: RetryPolicy,
  { attempt, retryAfter, nowMs, random }: FailedAttempt,
): number | null => {
  if (attempt >= policy.attempts) {
    return null;
  }
  const backOffMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
  const askedMs = parseRetryAfter(retryAfter, nowMs);
  if (askedMs > policy.maxDelayMs) {
    return null;
  }
  // Asked for a pause, everybody would come back at once; without one, half of it is jitter.
  return askedMs > 0 ? askedMs + random * backOffMs : backOffMs * (0.5 + random / 2);
};

/** Seconds or an HTTP date, as RFC 9110 allows both; 0 when there is none that makes sense. */
const parseRetryAfter = (value: string | null, nowMs: number): number => {
  if (value === null) {
    return 0;
  }
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return ms > 0 ? ms : 0;
};
