import type { FetchOptions } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components, paths } from '../generated/api-types.ts';
import type { Credential } from './authorize.ts';
import type { RetryPolicy } from './retry.ts';

/** The form of the platform's `fetch` that the client calls; tests and proxies pass their own. */
export type Fetch = (request: Request) => Promise<Response>;

/** Where the API is, who calls it, and how requests are retried. */
export type ClientOptions = {
  /** The URL of the gateway, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Omitted in local trusted mode, and in browsers, which send their session cookie. */
  readonly credential?: Credential | undefined;
  /** The company to work in, for operators of several companies. */
  readonly companyId?: string | undefined;
  readonly fetch?: Fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** Time limit of one attempt, including the response body. Event streams have none. */
  readonly attemptTimeoutMs?: number;
};

/** A resource of the API by its name in the OpenAPI document: `Schema<'Run'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A successful response: its parsed body, and the response itself for headers such as `ETag`. */
export type ApiResponse<Data> = { readonly data: Data; readonly response: Response };

type Operation<Path extends keyof paths, Method extends HttpMethod> = FilterKeys<
  paths[Path],
  Method
>;

type Init<Options> =
  RequiredKeysOf<Options> extends never ? [options?: Options] : [options: Options];

type Data<Op> =
  Op extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<Op>> : never;

/** Calls one operation. Throws a ProblemError for every response that is not a success. */
type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...init: Init<FetchOptions<Operation<Path, Method>>>
) => Promise<ApiResponse<Data<Operation<Path, Method>>>>;

/** The public API: paths, parameters, bodies and responses are those of the OpenAPI document. */
export type ApiClient = {
  readonly get: Call<'get'>;
  readonly put: Call<'put'>;
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
};
