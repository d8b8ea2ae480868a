import type { z } from 'zod';
import type { Role } from './caller-roles.ts';
import type { ErrorCode } from './error-codes.ts';
import type { ProcessName, ServiceName } from './process-names.ts';
import type { Scope } from './scopes.ts';

/** Kinds of entities that a path parameter may address; each has an owning company. */
export type EntityKind =
  | 'agent'
  | 'key'
  | 'connection'
  | 'run'
  | 'invite'
  | 'note'
  | 'job'
  | 'undo'
  | 'proposal';

/**
 * Which agents may call a route of a company.
 * - `never`: operators only.
 * - `own_company`: any agent, in its own company.
 * - `itself_by_key`: the agent in the path, with its API key.
 * - `itself_by_key_or_run`: the agent of the run in the path, with its API key or the token of that
 *   run.
 */
export type AgentAccess = 'never' | 'own_company' | 'itself_by_key' | 'itself_by_key_or_run';

/** How a route of a company finds its company. */
export type CompanySource =
  /** `companyId` of the path. */
  | 'path'
  /** The agent's own; an operator's `X-Company-Id`, or its only membership. */
  | 'selected'
  /** The company that owns the entities of the path. */
  | 'entity'
  /** As `entity`; an unknown id is created in the selected company. */
  | 'entity_or_selected';

/** The scope a route requires of the credential of an agent; `any`: none in particular. */
export type RequiredScope = Scope | 'any';

/** Required wherever agents may call: a route that forgets its scope does not compile. */
type AgentsWithScope =
  | { readonly agents: 'never'; readonly scope?: never }
  | { readonly agents: Exclude<AgentAccess, 'never'>; readonly scope: RequiredScope };

export type CompanyAccess<ParamName extends string = string> = AgentsWithScope & {
  readonly kind: 'company';
  readonly company: CompanySource;
  /** The weakest role with access; `never`: agents only. */
  readonly operators: Role | 'never';
  /** The path parameters that address entities, in path order. */
  readonly entities?: Readonly<Partial<Record<ParamName, EntityKind>>>;
  /**
   * Whether the agent must be active and the company not archived (409).
   * `writable` (default of unsafe methods): checked before the handler. `handler`: the handler checks.
   * `any` (default of safe methods): not checked.
   */
  readonly state?: 'writable' | 'handler' | 'any';
  /**
   * Whether the route keeps to the folders that the caller was granted. Without it, callers with grants may not use a route
   * of the notes service (403 `folder_not_granted`).
   */
  readonly grants?: 'kept';
};

/** Who may call a route. Required: a route without it does not compile. */
export type Access<ParamName extends string = string> =
  | { readonly kind: 'public'; readonly reason: string }
  /** Any caller with a credential, agents only if `agents` is set. Involves no company. */
  | { readonly kind: 'caller'; readonly agents: false; readonly scope?: never }
  | { readonly kind: 'caller'; readonly agents: true; readonly scope: RequiredScope }
  | { readonly kind: 'administrator' }
  | CompanyAccess<ParamName>
  /** An internal route for other services; the gateway never forwards it. */
  | { readonly kind: 'service'; readonly callers: readonly ProcessName[] };

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** A response header. packages/openapi knows the format of each by its name. */
export type HeaderContract = {
  readonly description: string;
  /** Not sent with every response; the description says when. */
  readonly isOptional?: true;
  /** Its value, if it is constant. */
  readonly value?: string;
};

export type ResponseContract = {
  readonly description: string;
  /** Absent: no body. Undeclared fields are removed before sending. */
  readonly schema?: z.ZodType;
  /** Headers that not every response has, by name. `Cache-Control` only if it differs. */
  readonly headers?: Readonly<Record<string, HeaderContract>>;
  /** Anything but `application/json`, for example an event stream. */
  readonly contentType?: string;
  /** Describes the Markdown, if the route may respond with `text/markdown` instead of JSON. */
  readonly markdown?: string;
  /** Describes the table, if the route may respond with `text/csv` instead of JSON. */
  readonly csv?: string;
  /** Describes the events, if the route may respond with a stream of server-sent events. */
  readonly eventStream?: string;
};

/** The responses of a route other than errors, by status. */
export type ResponseContracts = Readonly<Record<number, ResponseContract>>;

/**
 * How a protocol writes its errors. `json_rpc`: those of a message, others are problems; `oauth`: RFC 6749 section 5.2;
 * `client_registration`: RFC 7591 section 3.2.2.
 */
export type ErrorShape = 'json_rpc' | 'oauth' | 'client_registration';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/**
 * The contract of a route. The service validates by it, the gateway routes by it, the OpenAPI
 * document is generated from it, and the access matrix tests it.
 */
export type RouteContract<
  Path extends string = string,
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Responses extends ResponseContracts = ResponseContracts,
  RouteAccess extends Access<ParamNames<Path>> = Access<ParamNames<Path>>,
> = {
  readonly operationId: string;
  readonly service: ServiceName;
  readonly method: Method;
  /** OpenAPI form: `/api/notes/{id}`. */
  readonly path: Path;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Request headers beyond the common ones: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** An absent body is an error; otherwise it reads as `{}`. */
  readonly needsBody?: true;
  /** How the body is encoded; `form`: `application/x-www-form-urlencoded`, where a standard says so. */
  readonly bodyType?: 'json' | 'form';
  /** The body limit in bytes; see `bodyBytesMaxOf` for the default. */
  readonly bodyBytesMax?: number;
  /** The body may be an array of messages, each of which counts as a request for the rate limit. */
  readonly countsMessages?: true;
  readonly responses: Responses;
  /** The shape of errors where a protocol defines one; by default they are problems (RFC 9457). */
  readonly errorShape?: ErrorShape;
  /** Specific errors; the document adds those that follow from access, params and body. */
  readonly errors: readonly ErrorCode[];
  readonly access: RouteAccess;
  /** Whether operators who must set up a second factor first may call it. */
  readonly duringEnrolment?: true;
  /** The token of the run in the path is accepted for an hour after the end of that run. */
  readonly acceptsEndedRun?: true;
  /**
   * Whether its success can change what a credential may do, so that the gateway looks it up again at once. Any change of
   * the auth and agents services can, unless this says: `never`, or `by_body`, not without one.
   */
  readonly changesCredentials?: 'never' | 'by_body';
  /** The auth service gets the cookies of sign-ins through a provider. */
  readonly attemptCookies?: true;
  /** The auth service gets the cookies of the browser that began to connect a client. */
  readonly consentCookies?: true;
  /** Pages of any origin may call it without credentials: no cookie is forwarded, every origin may read the response. */
  readonly anyOrigin?: true;
  /** Browsers that navigate there get the page of the console. */
  readonly hasPage?: true;
  /**
   * Access tokens of connections are credentials here: `only` they are, or, with the setting OAUTH_AT_MCP, they are
   * `optional` beside all others. Everywhere else they are 401.
   */
  readonly connections?: 'only' | 'optional';
  /** Milliseconds the gateway waits for the response; 30 s by default, `null` for streams. */
  readonly deadlineMs?: number | null;
  /** A request header with which the response is a stream, as with the deadline `null`. */
  readonly streamedWith?: { readonly header: string; readonly value: string };
};

/** Declares a route with the literal types of path, schemas and statuses. */
export const routeContract = <
  const Path extends string,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  const Responses extends ResponseContracts = ResponseContracts,
  const RouteAccess extends Access<ParamNames<Path>> = Access<ParamNames<Path>>,
>(
  contract: RouteContract<Path, Params, Query, Body, Responses, RouteAccess>,
): RouteContract<Path, Params, Query, Body, Responses, RouteAccess> => contract;
