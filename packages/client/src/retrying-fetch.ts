import { authorize, type CallerIdentity } from './authorize.ts';
import type { Fetch } from './api-client.ts';
import { recoverCreation } from './recover-creation.ts';
import { isRepeatable, isRetryableResponse, retryDelay, sleep, type RetryPolicy } from './retry.ts';

/** What every attempt uses. */
export type RetryingFetchOptions = CallerIdentity & {
  readonly fetch: Fetch;
  readonly retry: RetryPolicy;
  readonly attemptTimeoutMs: number;
};

/**
 * Returns a fetch that adds the caller's credentials, limits the time of every attempt, and retries
 * repeatable requests when the server is unavailable or requests a retry. The result is that of the last
 * attempt. A creation that finds the note of its own earlier attempt succeeds.
 */
export const retryingFetch =
  (options: RetryingFetchOptions): Fetch =>
  async (request) => {
    let mayBeApplied = false;
    for (let attempt = 1; ; attempt += 1) {
      const headers = await authorize(request.headers, options);
      const outcome = await send(request, headers, options);
      const delayMs = (await canRetry(request, outcome))
        ? retryDelay(options.retry, {
            attempt,
            retryAfter: outcome.response?.headers.get('retry-after') ?? null,
            nowMs: Date.now(),
            random: Math.random(),
          })
        : null;
      if (delayMs === null) {
        const recovered =
          mayBeApplied && outcome.response && (await recoverCreation(request, outcome.response));
        return recovered || resultOf(outcome);
      }
      // A 429 is sent before the request has any effect. After any other failure it may have had one.
      mayBeApplied ||= outcome.response?.status !== 429;
      await outcome.response?.body?.cancel();
      await sleep(delayMs, request.signal);
    }
  };

type Outcome = { readonly response?: Response; readonly failure?: unknown };

const send = async (
  request: Request,
  headers: Headers,
  { fetch, attemptTimeoutMs }: RetryingFetchOptions,
): Promise<Outcome> => {
  // A body can be read only once, so every attempt sends a copy.
  const copy = new Request(request.clone(), {
    headers,
    signal: isStream(request)
      ? request.signal
      : AbortSignal.any([request.signal, AbortSignal.timeout(attemptTimeoutMs)]),
  });
  try {
    const response = await fetch(copy);
    return { response: isStream(request) ? response : await readFully(response) };
  } catch (failure) {
    return { failure };
  }
};

/** Reads the whole body, so that a truncated response counts as a failed attempt. */
const readFully = async (response: Response): Promise<Response> => {
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
};

/** Event streams have no time limit: the caller ends them with its signal. */
const isStream = ({ headers }: Request): boolean =>
  headers.get('accept')?.includes('text/event-stream') ?? false;

/** A request without a response is retried, unless the caller aborted it. */
const canRetry = async (request: Request, { response }: Outcome): Promise<boolean> =>
  (!response || isRetryableResponse(response)) &&
  !request.signal.aborted &&
  (await isRepeatable(request));

const resultOf = ({ response, failure }: Outcome): Response => {
  if (response) {
    return response;
  }
  throw failure;
};
