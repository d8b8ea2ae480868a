import { authorize, type Identification } from './authorize.ts';
import type { Fetch } from './fetch.ts';
import { ownCreation } from './own-creation.ts';
import { asksToRetry, isRepeatable, pauseAfter, type RetryPolicy } from './retry-policy.ts';
import { sleep } from './sleep.ts';

/** What every attempt is made with. */
export type ResilientFetchOptions = Identification & {
  readonly fetch: Fetch;
  readonly retry: RetryPolicy;
  readonly attemptTimeoutMs: number;
};

/**
 * A fetch that identifies the caller, gives every attempt a time-out, and repeats what may be
 * repeated when the server is away or asks for patience. The last answer or failure is the result;
 * a creation that finds what an earlier attempt of its own has made is a success.
 */
export const resilientFetch =
  (options: ResilientFetchOptions): Fetch =>
  async (request) => {
    let mayBeDone = false;
    for (let attempt = 1; ; attempt += 1) {
      const headers = await authorize(request.headers, options);
      const outcome = await send(request, headers, options);
      const pauseMs = mayRepeat(request, outcome)
        ? pauseAfter(options.retry, {
            attempt,
            retryAfter: outcome.response?.headers.get('retry-after') ?? null,
            nowMs: Date.now(),
            random: Math.random(),
          })
        : null;
      if (pauseMs === null) {
        const made =
          mayBeDone && outcome.response && (await ownCreation(request, outcome.response));
        return made || resultOf(outcome);
      }
      // A limiter refuses before anything is done; everybody else may have lost the answer on its way.
      mayBeDone ||= outcome.response?.status !== 429;
      await outcome.response?.body?.cancel();
      await sleep(pauseMs, request.signal);
    }
  };

type Outcome = { readonly response?: Response; readonly failure?: unknown };

const send = async (
  request: Request,
  headers: Headers,
  { fetch, attemptTimeoutMs }: ResilientFetchOptions,
): Promise<Outcome> => {
  // A body can be read once only, so every attempt sends a copy.
  const copy = new Request(request.clone(), {
    headers,
    signal: isStream(request)
      ? request.signal
      : AbortSignal.any([request.signal, AbortSignal.timeout(attemptTimeoutMs)]),
  });
  try {
    const response = await fetch(copy);
    return { response: isStream(request) ? response : await whole(response) };
  } catch (failure) {
    return { failure };
  }
};

/** An answer that is cut amid its body is none, and here it can still be asked for again. */
const whole = async (response: Response): Promise<Response> => {
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
};

/** Server-sent events stay open: the caller ends them with a signal of its own. */
const isStream = ({ headers }: Request): boolean =>
  headers.get('accept')?.includes('text/event-stream') ?? false;

/** No answer at all counts as "later", unless it was the caller who gave up. */
const mayRepeat = (request: Request, { response }: Outcome): boolean =>
  isRepeatable(request) && !request.signal.aborted && (!response || asksToRetry(response));

const resultOf = ({ response, failure }: Outcome): Response => {
  if (response) {
    return response;
  }
  throw failure;
};
