import createFetchClient from 'openapi-fetch';
import type { ApiClient, ClientOptions } from './api-client.ts';
import { ProblemError } from './problem-error.ts';
import { resilientFetch } from './resilient-fetch.ts';
import { defaultRetryPolicy } from './retry-policy.ts';

const defaultAttemptTimeoutMs = 30_000;

/**
 * The typed client of the public API, for Node and browsers.
 *
 *     const api = createClient({ baseUrl, credential: apiKey });
 *     const { data: note } = await api.get('/api/notes/{id}', { params: { path: { id } } });
 *
 * Problems are thrown as ProblemError. What is safe to repeat is repeated with jitter on 429, 503 and
 * broken connections, honouring `Retry-After`. A request that never got an answer rejects with the
 * error of fetch.
 */
export const createClient = (options: ClientOptions): ApiClient => {
  const inner = createFetchClient({
    baseUrl: options.baseUrl,
    // The API redirects nowhere: whoever does is not it, and shall not see a body.
    redirect: 'error',
    fetch: resilientFetch({
      // Wrapped, because browsers insist that fetch is called on the window.
      fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
      credential: options.credential,
      companyId: options.companyId,
      retry: { ...defaultRetryPolicy, ...options.retry },
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

/** ApiClient checks every call against the document; in here a request is just a request. */
type UntypedRequest = (
  method: string,
  path: string,
  init?: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
