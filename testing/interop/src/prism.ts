import { documentPath, requireTool } from './workspace.ts';

/** The part of Prism's types in use; its packages are not dependencies of the repository. */
type PrismRequest = {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};
type Violation = { readonly message: string; readonly path?: readonly (string | number)[] };
type PrismClient = {
  readonly request: (
    path: string,
    request: PrismRequest,
  ) => Promise<{
    readonly status: number;
    readonly violations: { readonly input: Violation[]; readonly output: Violation[] };
  }>;
};
type PrismHttp = {
  readonly getHttpOperationsFromSpec: (path: string) => Promise<readonly object[]>;
};
type PrismClients = {
  readonly createClientFromOperations: (
    operations: readonly object[],
    options: object,
  ) => PrismClient;
};
type Pino = { readonly pino: (options: { readonly level: string }) => object };

/** Prism's findings for one request and its response. */
export type Verdict = {
  readonly status: number;
  /** Violations of the document by the request. */
  readonly request: readonly string[];
  /** Violations of the document by the response. */
  readonly response: readonly string[];
};

export type PrismCall = {
  readonly method: PrismRequest['method'];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

const shown = ({ path = [], message }: Violation): string => `${path.join('.')}: ${message}`;

/**
 * Prism's validating proxy, without its own HTTP server: it validates a request, forwards it to the running system,
 * and validates the response.
 */
export const prismProxy = async (
  baseUrl: string,
): Promise<(call: PrismCall) => Promise<Verdict>> => {
  const { getHttpOperationsFromSpec } = requireTool('@stoplight/prism-http') as PrismHttp;
  const { createClientFromOperations } = requireTool(
    '@stoplight/prism-http/dist/client.js',
  ) as PrismClients;
  const { pino } = requireTool('pino') as Pino;
  const operations = await getHttpOperationsFromSpec(documentPath);
  const prism = createClientFromOperations(operations, {
    isProxy: true,
    mock: false,
    upstream: new URL(baseUrl),
    upstreamProxy: undefined,
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    errors: false,
    logger: pino({ level: 'silent' }),
  });
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
