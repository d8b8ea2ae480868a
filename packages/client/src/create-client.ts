import createFetchClient from 'openapi-fetch';
import type { ApiClient, ClientOptions } from './api-client.ts';
import { ProblemError } from './problem-error.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';

const defaultAttemptTimeoutMs = 30_000;

/**
 * The typed client of the public API, for Node and browsers.
 *
 *     const api = createClient({ baseUrl, credential: apiKey });
 *     const { data: note } = await api.get('/api/notes/{id}', { params: { path: { id } } });
 *
 * Problems are thrown as ProblemError. Repeatable requests are retried with jitter on 429, 503 and broken
 * connections, and `Retry-After` is honoured: also PATCH of a note with `mutationId`, and POST with
 * `Idempotency-Key`. A request without a response rejects with the error of
 * fetch.
 */
export const createClient = (options: ClientOptions): ApiClient => {
  const inner = createFetchClient({
    baseUrl: options.baseUrl,
    // The API never redirects. Another server that does must not receive the body.
    redirect: 'error',
    fetch: retryingFetch({
      // Wrapped, because browsers require fetch to be called on the window.
      fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
      credential: options.credential,
      companyId: options.companyId,
      retry: withDefaults(options.retry),
      attemptTimeoutMs: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
    }),
  });
  const request = inner.request as unknown as UntypedRequest;
  const call = (method: string) => async (path: string, init?: object) => {
    const { data, error, response } = await request(method, path, init);
    if (!response.ok) {
      throw new ProblemError(response, error);
    }
    return { data, response };
  };
  return {
    get: call('get'),
    put: call('put'),
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
  } as ApiClient;
};

/** What is `undefined` counts as absent: without `attempts` a request would be retried for ever. */
const withDefaults = ({
  attempts,
  baseDelayMs,
  maxDelayMs,
}: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: attempts ?? defaultRetryPolicy.attempts,
  baseDelayMs: baseDelayMs ?? defaultRetryPolicy.baseDelayMs,
  maxDelayMs: maxDelayMs ?? defaultRetryPolicy.maxDelayMs,
});

/** ApiClient checks every call against the OpenAPI document; this layer is untyped. */
type UntypedRequest = (
  method: string,
  path: string,
  init?: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
