import { getHeapStatistics } from 'node:v8';
import { AppError } from '@commonplace/contracts/core';
import { callConnectMcpContract, callMcpContract } from '@commonplace/contracts/notes';
import {
  asAppError,
  defineRoute,
  logFailure,
  routeCaller,
  type AssertVisible,
  type Owners,
  type Route,
  type RouteRequest,
  type WorkLimits,
} from '@commonplace/http';
import { trimMemory } from '@commonplace/http/trim-memory';
import type { Deps } from '../deps.ts';
import { createAuthorNames } from './author-names.ts';
import type { McpSession } from './mcp-session.ts';
import { sendResponse } from './send-response.ts';
import type { Serve } from './serve.ts';

type McpRequest =
  | RouteRequest<typeof callMcpContract>
  | RouteRequest<typeof callConnectMcpContract>;

type McpRouteDeps = Pick<
  Deps,
  'db' | 'feed' | 'clock' | 'describeAuthors' | 'listDirectory' | 'log'
>;

/** The routes of the service, which the MCP server calls. */
type Api = {
  readonly routes: readonly Route[];
  readonly owners: Owners;
  readonly assertVisible: AssertVisible;
  readonly limits: WorkLimits;
};

/**
 * Serves the Model Context Protocol over the other routes of the service. The SDK is loaded by the first request,
 * because a process without such clients should not pay for it.
 */
export const callMcpRoutes = (deps: McpRouteDeps, api: Api): readonly Route[] => {
  const handle = createHandler(deps, api);
  return [defineRoute(callMcpContract, handle), defineRoute(callConnectMcpContract, handle)];
};

/** Both addresses have one handler: which credentials each takes is for the gateway. */
const createHandler = (deps: McpRouteDeps, { routes, ...entities }: Api) => {
  const callFor = routeCaller(routes, entities);
  const authorNames = createAuthorNames(deps);
  let loading: Promise<Serve> | undefined;
  return async (request: McpRequest) => {
    let signal: AbortSignal | undefined;
    const session: McpSession = {
      caller: request.caller,
      company: request.company,
      call: callFor({ ...request, caller: viaMcp(request.caller) }),
      deps,
      authorNames,
      retryKey: retryKeyOf(request.header('Idempotency-Key')),
      signal: () => (signal ??= request.closeSignal()),
      recheck: request.work.recheck,
    };
    const serve = await (loading ??= loadServer());
    const onFailure = (error: unknown) =>
      logFailure(deps.log, asAppError(error), request.requestId);
    const served = await serve(session, {
      body: request.body,
      headers: headersOf(request),
      takesEvents: takesEvents(request),
      onTool: (name) => noteTool(request, name),
      onFailure,
      closing: deps.feed.closing,
    });
    return sendResponse(served, { takesEvents: takesEvents(request), signal: session.signal });
  };
};

/** The versions that these calls write say so. */
const viaMcp = <Caller extends McpRequest['caller']>(caller: Caller) =>
  Object.assign({ ...caller }, { via: 'mcp' as const });

/** A process with a larger heap has served many requests: its collection takes longer, and would slow them down. */
const trimmedHeapBytesMax = 72 * 1024 * 1024;

/** Loads the SDK. To compile it leaves more garbage than it needs, which an idle process would keep. */
const loadServer = async (): Promise<Serve> => {
  const { serve } = await import('./serve.ts');
  if (getHeapStatistics().total_heap_size <= trimmedHeapBytesMax) {
    trimMemory();
  }
  return serve;
};

/** For the log; a name that is not a tool is not the client's to choose. */
const noteTool = ({ raw }: McpRequest, name: string): void => {
  const { locals } = raw.res as typeof raw.res & { locals: Record<string, unknown> };
  locals['tool'] = name;
};

/** Subscriptions are streams, whatever the client accepts. */
const takesEvents = ({ header }: McpRequest): boolean =>
  header('Accept')?.includes('text/event-stream') === true ||
  header('Mcp-Method') === 'subscriptions/listen';

/** The headers that the SDK reads. The body was read as JSON already, and `sendResponse` observes `Accept`. */
const headersOf = ({ raw }: McpRequest): ReadonlyMap<string, string> => {
  const headers = new Map([
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
  ]);
  for (const [name, value] of Object.entries(raw.req.headers)) {
    if (name.startsWith('mcp-')) {
      headers.set(name, String(value));
    }
  }
  return headers;
};

const retryKeyOf = (header: string | undefined): string | null => {
  if (header !== undefined && !/^[\x21-\x7e]{1,64}$/.test(header)) {
    throw new AppError(
      'malformed_header',
      'Idempotency-Key takes 1 to 64 visible characters here.',
    );
  }
  return header ?? null;
};
