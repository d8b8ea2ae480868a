import type { FetchOptions } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components, paths } from './api-types.ts';
import type { Credential } from './authorize.ts';
import type { Fetch } from './fetch.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** Where the API is, who asks, and how patiently. */
export type ClientOptions = {
  /** Where the gateway is: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Left out in local trusted mode, and in browsers, whose session cookie is sent by itself. */
  readonly credential?: Credential | undefined;
  /** The company to work in, for operators of several. */
  readonly companyId?: string | undefined;
  readonly fetch?: Fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** Limit of one attempt, its answer's body included. Streams of events have none. */
  readonly attemptTimeoutMs?: number;
};

/** A resource of the API by its name in the OpenAPI document: `Schema<'Run'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A successful answer: its parsed body, and the response for headers such as `ETag`. */
export type Answer<Data> = { readonly data: Data; readonly response: Response };

type Operation<Path extends keyof paths, Method extends HttpMethod> = FilterKeys<
  paths[Path],
  Method
>;

type Init<Options> =
  RequiredKeysOf<Options> extends never ? [options?: Options] : [options: Options];

type Data<Op> =
  Op extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<Op>> : never;

/** Calls one operation; whatever is no success throws a ProblemError. */
type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...init: Init<FetchOptions<Operation<Path, Method>>>
) => Promise<Answer<Data<Operation<Path, Method>>>>;

/** The public API: paths, parameters, bodies and answers are those of the OpenAPI document. */
export type ApiClient = {
  readonly get: Call<'get'>;
  readonly put: Call<'put'>;
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
};
