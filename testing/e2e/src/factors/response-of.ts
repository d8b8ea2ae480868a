import type { ApiResponse } from '../call-api.ts';

export type Headers = Readonly<Record<string, string>>;

/** The body of a response of this status. */
export const bodyOf = (response: ApiResponse, status: number): unknown => {
  if (response.status !== status) {
    throw new Error(
      `${response.method} ${response.path} returned ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }
  return response.body;
};

/** The headers that a browser sends after a response that signed it in. */
export const headersOf = (baseUrl: string, response: ApiResponse): Headers => {
  bodyOf(response, 200);
  const [cookie = ''] = response.headers.getSetCookie();
  return { cookie: cookie.split(';')[0] ?? '', origin: baseUrl };
};
