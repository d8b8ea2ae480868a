import { getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { createClientFromOperations, type PrismHttp } from '@stoplight/prism-http/dist/client.js';
import { pino } from 'pino';
import { documentPath } from './workspace.ts';

/** What Prism says of one request and the response to it. */
export type Verdict = {
  readonly status: number;
  /** Where the request is not what the document allows. */
  readonly request: readonly string[];
  /** Where the response is not what the document promises. */
  readonly response: readonly string[];
};

export type PrismCall = {
  readonly method: IHttpRequest['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

type Violation = { readonly message: string; readonly path?: readonly (string | number)[] };

const shown = ({ path = [], message }: Violation): string => `${path.join('.')}: ${message}`;

/**
 * Prism's validating proxy, without its own HTTP server: it judges a request, sends it on to the running system,
 * and judges the response.
 */
export const prismProxy = async (
  baseUrl: string,
): Promise<(call: PrismCall) => Promise<Verdict>> => {
  const operations = await getHttpOperationsFromSpec(documentPath);
  const options: Parameters<typeof createClientFromOperations>[1] & {
    readonly upstream: URL;
  } = {
    isProxy: true,
    mock: false,
    upstream: new URL(baseUrl),
    upstreamProxy: undefined,
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    errors: false,
    logger: pino({ level: 'silent' }),
  } as never;
  const prism: PrismHttp = createClientFromOperations(operations, options);
  return async ({ method, path, headers, body }) => {
    const { status, violations } = await prism.request(path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status,
      request: violations.input.map(shown),
      response: violations.output.map(shown),
    };
  };
};
