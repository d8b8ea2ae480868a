import createFetchClient from 'openapi-fetch';
import type { ApiClient, ClientOptions, Fetch } from './api-client.ts';
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
  const retry = withDefaults(options.retry);
  const fetchIn = (attempts: number): Fetch =>
    retryingFetch({
      // Wrapped, because browsers require fetch to be called on the window.
      fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
      credential: options.credential,
      companyId: options.companyId,
      retry: { ...retry, attempts },
      attemptTimeoutMs: options.attemptTimeoutMs ?? defaultAttemptTimeoutMs,
    });
  const inner = createFetchClient({
    baseUrl: options.baseUrl,
    // The API never redirects. Another server that does must not receive the body.
    redirect: 'error',
    fetch: fetchIn(retry.attempts),
  });
  const request = inner.request as unknown as UntypedRequest;
  const call = (method: string) => async (path: string, init?: UntypedInit) => {
    const { parseAs = 'json', attempts, ...rest } = init ?? {};
    // JSON is parsed here, so that what is none is an error with the response.
    const readAs = parseAs === 'json' ? 'text' : parseAs;
    const { data, error, response } = await request(method, path, {
      ...(attempts === undefined ? {} : { fetch: fetchIn(attempts) }),
      ...rest,
      parseAs: readAs,
    });
    if (!response.ok || isPage(response, path)) {
      if (parseAs === 'stream') {
        await response.body?.cancel();
      }
      throw new ProblemError(response, error);
    }
    return { data: parseAs === 'json' ? parseJson(data, response) : data, response };
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
  init?: UntypedInit,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

type UntypedInit = {
  readonly parseAs?: string;
  readonly attempts?: number;
  readonly fetch?: Fetch;
};

/** A page of a proxy or a portal, which a caller who reads text would take for the resource. */
const isPage = ({ headers }: Response, path: string): boolean =>
  path !== '/api/docs' && (headers.get('content-type') ?? '').startsWith('text/html');

const parseJson = (text: unknown, response: Response): unknown => {
  try {
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
  } catch {
    throw new ProblemError(response, undefined);
  }
};
