import type { SyncResult } from '@commonplace/contracts';

/** What the network does to a request. */
export type NetworkFault = 'none' | 'request lost' | 'response lost' | 'cut midway' | 'sent twice';

/** Base URL and credential of a caller. */
export type Caller = {
  readonly baseUrl: string;
  readonly key: string;
  /** Is shown every response as it arrived. */
  readonly onResponse?: (request: ApiRequest, text: string) => void;
};

/** A response of the API; null if none arrived. */
export type ApiResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly revision: number | null;
} | null;

/** A request to the API. */
export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const limitMs = 20_000;

/** Sends a request once; null if no complete response arrived. */
export const call = async (
  { baseUrl, key, onResponse }: Caller,
  request: ApiRequest,
  signal?: AbortSignal,
): Promise<ApiResponse> => {
  const { method, path, body, headers = {} } = request;
  const signals = [AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      signal: AbortSignal.any(signals),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    onResponse?.(request, text);
    const revision = /^"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1];
    return {
      status: response.status,
      body: text === '' ? null : (JSON.parse(text) as unknown),
      revision: revision === undefined ? null : Number(revision),
    };
  } catch {
    return null;
  }
};

/** Sends a request through a network fault and returns what the caller would receive. */
export const callWithFault = async (
  caller: Caller,
  request: ApiRequest,
  fault: { readonly kind: NetworkFault; readonly afterMs: number },
): Promise<ApiResponse[]> => {
  switch (fault.kind) {
    case 'request lost':
      return [null];
    case 'response lost':
      await call(caller, request);
      return [null];
    case 'cut midway':
      return [await call(caller, request, AbortSignal.timeout(fault.afterMs))];
    case 'sent twice':
      return Promise.all([call(caller, request), call(caller, request)]);
    case 'none':
      return [await call(caller, request)];
  }
};

/** No violation: a service is unavailable, or the request was lost. */
export const isUnavailable = (response: ApiResponse): response is null =>
  response === null || [502, 503, 504].includes(response.status);

/** The response to a synchronisation. */
export const syncResultOf = (response: NonNullable<ApiResponse>): SyncResult =>
  response.body as SyncResult;
