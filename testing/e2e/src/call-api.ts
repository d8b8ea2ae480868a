/** A response of the gateway. */
export type ApiResponse = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
};

export type ApiCall = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged instead of `body`, for input that is not JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
};

export type Api = (method: string, path: string, call?: ApiCall) => Promise<ApiResponse>;

export type ApiOptions = {
  readonly baseUrl: string;
  /** Sent with every call: a bearer, or a cookie with its origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives every response before the caller; tests check it against the OpenAPI document. */
  readonly inspect?: (response: ApiResponse) => void;
};

const parse = (text: string, contentType: string | null): unknown =>
  contentType?.includes('json') && text ? (JSON.parse(text) as unknown) : text;

/** The session cookie that a response sets; undefined if it sets none, or clears it. */
const sessionCookieOf = (response: Response): string | undefined =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => /^(?:__Host-)?commonplace\.sid=./.test(pair));

/** Creates a client of the public API for one caller. A session keeps the cookie that it is given, as in a browser. */
export const createApi = ({ baseUrl, headers = {}, inspect }: ApiOptions): Api => {
  let cookie = headers['cookie'];
  return async (method, path, call = {}) => {
    const content = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(cookie === undefined ? {} : { cookie }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(content === undefined ? {} : { body: content }),
      redirect: 'manual',
    });
    if (cookie !== undefined) {
      cookie = sessionCookieOf(response) ?? cookie;
    }
    const body = parse(await response.text(), response.headers.get('content-type'));
    const result = { method, path, status: response.status, headers: response.headers, body };
    inspect?.(result);
    return result;
  };
};

/** The headers of an agent: `Authorization: Bearer …`. */
export const bearer = (credential: string): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
});
