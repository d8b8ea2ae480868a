import type { z } from 'zod';
import type { Role } from './caller-roles.ts';
import type { ErrorCode } from './error-codes.ts';

export type ServiceName = 'auth' | 'agents' | 'notes';

/** Kinds of rows that a path parameter may address; each service says which company owns an id. */
export type EntityKind = 'agent' | 'key' | 'run' | 'invite' | 'note' | 'job';

/**
 * Which agents may call a route of a company.
 * - `never`: operators only.
 * - `own_company`: any agent, in its own company.
 * - `itself_by_key`: the agent the path names, with its API key.
 * - `itself_by_key_or_run`: the agent of the run the path names, with its API key or that run's token.
 */
export type AgentAccess = 'never' | 'own_company' | 'itself_by_key' | 'itself_by_key_or_run';

/** How a route that works inside one company finds it. */
export type CompanySource =
  /** The path holds `companyId`. */
  | 'path'
  /** The agent's own; an operator's `X-Company-Id`, or its only membership. */
  | 'selected'
  /** The company that owns the entities of the path. */
  | 'entity'
  /** As `entity`; an id that exists nowhere is created in the selected company. */
  | 'entity_or_selected';

export type CompanyAccess<ParamName extends string = string> = {
  readonly kind: 'company';
  readonly company: CompanySource;
  readonly agents: AgentAccess;
  /** The weakest role that may call; `never`: agents only. */
  readonly operators: Role | 'never';
  /** The path parameters that address rows with an owner, in path order. */
  readonly entities?: Readonly<Partial<Record<ParamName, EntityKind>>>;
  /**
   * What must not be paused or archived for this to go on (409).
   * `writable` (default of unsafe methods): checked before the handler. `handler`: the handler checks.
   * `any` (default of safe methods): nothing is checked.
   */
  readonly state?: 'writable' | 'handler' | 'any';
};

/** Who may call a route. There is no default: a route without one does not compile. */
export type Access<ParamName extends string = string> =
  | { readonly kind: 'public'; readonly reason: string }
  /** Anybody with a credential; `agents` says whether agents are among them. No company is involved. */
  | { readonly kind: 'caller'; readonly agents: boolean }
  | { readonly kind: 'administrator' }
  | CompanyAccess<ParamName>
  /** Internal routes, called by the gateway or another service, never forwarded. */
  | { readonly kind: 'service'; readonly callers: readonly (ServiceName | 'gateway')[] };

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** A header of a response. Its form follows from its name: packages/openapi knows them all. */
export type HeaderContract = {
  readonly description: string;
  /** Sent in some cases only: the description says in which. */
  readonly isOptional?: true;
  /** What it says every time. */
  readonly value?: string;
};

export type ResponseContract = {
  readonly description: string;
  /** Absent: no body. Undeclared fields are dropped before sending. */
  readonly schema?: z.ZodType;
  /** By name, for the document: those that not every response has. `Cache-Control` only where it differs. */
  readonly headers?: Readonly<Record<string, HeaderContract>>;
  /** Anything but `application/json`, for example an event stream. */
  readonly contentType?: string;
  /** The route may answer a stream of server-sent events instead: what the events are. */
  readonly eventStream?: string;
};

/** Every status a route answers with when all is well. */
export type ResponseContracts = Readonly<Record<number, ResponseContract>>;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/**
 * Everything the outside may know of one route, in one place. The service validates by it, the
 * gateway routes by it, the OpenAPI document is generated from it, and the access matrix tests it.
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
  /** Bytes of the largest body; see `bodyBytesMaxOf` for what holds without it. */
  readonly bodyBytesMax?: number;
  readonly responses: Responses;
  /** Errors of its own; those that follow from access, params and body are added by the document. */
  readonly errors: readonly ErrorCode[];
  readonly access: RouteAccess;
  /** Milliseconds the gateway waits for the answer; 30 seconds unless said, `null` for streams. */
  readonly deadlineMs?: number | null;
};

/** Declares a route, keeping the literal types of path, schemas and statuses. */
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
