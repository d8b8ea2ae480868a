import type { FetchOptions, ParseAs } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  MediaType,
  OkStatus,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
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

/** What the content of a response is read as, where it is not JSON. */
type ReadAs = {
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
};

/** The content that the server sends without an `Accept`: JSON, unless it has another one only. */
type Content<Success> = Success extends { content: infer Media }
  ? Media extends { 'application/json': infer Json }
    ? Json
    : FilterKeys<Media, MediaType>
  : undefined;

/** The content of any of the successes of an operation, as 201 and 202. */
type ContentOf<Responses> = {
  [Status in keyof Responses & OkStatus]: Content<Responses[Status]>;
}[keyof Responses & OkStatus];

type Data<Op, As extends ParseAs> = As extends keyof ReadAs
  ? ReadAs[As]
  : ContentOf<ResponseObjectMap<Op>>;

/** The options of an operation. The content of another `Accept` is read with a `parseAs` that fits it. */
type Options<Op, As extends ParseAs> = Omit<FetchOptions<Op>, 'parseAs'> & {
  readonly parseAs?: As;
  /** Attempts of this request in total, in place of those of the client. */
  readonly attempts?: number;
};

/** Calls one operation. Throws a ProblemError for every response that is not a success. */
type Call<Method extends HttpMethod, Allowed extends string> = <
  Path extends PathsWithMethod<paths, Method> & Allowed,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...init: Init<Options<Operation<Path, Method>, As>>
) => Promise<ApiResponse<Data<Operation<Path, Method>, As>>>;

/**
 * The public API: paths, parameters, bodies and responses are those of the OpenAPI document. `Allowed` limits it to some of
 * its paths.
 */
export type ApiClient<Allowed extends string = string> = {
  readonly get: Call<'get', Allowed>;
  readonly put: Call<'put', Allowed>;
  readonly post: Call<'post', Allowed>;
  readonly patch: Call<'patch', Allowed>;
  readonly delete: Call<'delete', Allowed>;
};
