import type { Api, ApiResponse } from '../call-api.ts';

/** The body of a response. */
export type Fields = Readonly<Record<string, unknown>>;
type Step = {
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
};

/** A field of a body, as text. */
export const field = (body: unknown, name: string): string => String((body as Fields)[name]);

/** Sends a request, prints one line, and throws unless the status is that of the README. */
export const stepper =
  (print: (line: string) => void) =>
  async (
    title: string,
    expected: number,
    { api, method, path, body }: Step,
  ): Promise<ApiResponse> => {
    const response = await api(method, path, body === undefined ? {} : { body });
    print(
      `${response.status === expected ? 'ok  ' : 'FAIL'} ${title}: ${method} ${path} -> ${response.status}`,
    );
    if (response.status !== expected) {
      throw new Error(
        `${title}: expected ${expected}, got ${response.status} ${JSON.stringify(response.body)}`,
      );
    }
    return response;
  };

export type Stepper = ReturnType<typeof stepper>;
