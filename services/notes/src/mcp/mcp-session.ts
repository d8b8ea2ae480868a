import type { CallRoute, CompanyScope } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import type { AuthorNames } from './author-names.ts';

/** What tools, resources and prompts need of the service beside its routes. */
type McpDeps = Pick<Deps, 'db' | 'feed' | 'clock' | 'describeAuthors' | 'listDirectory'>;

/** A request to the MCP server: who sends it, and what it may call. */
export type McpSession = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
  /** Calls a route of this service as the caller, with every check of that route. */
  readonly call: CallRoute;
  readonly deps: McpDeps;
  readonly authorNames: AuthorNames;
  /** The client's key of this request, which makes a retry of a write safe; null without one. */
  readonly retryKey: string | null;
  /** Aborted when the client disconnects. Created by the first call, because it costs as much as a small tool. */
  readonly signal: () => AbortSignal;
  /** Throws when the caller has lost its access. Call it after a wait. */
  readonly recheck: () => Promise<unknown>;
};
