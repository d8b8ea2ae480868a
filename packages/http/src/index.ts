export { readBounded } from './client/read-bounded.ts';
export * from './pipeline/build-app.ts';
export { bodyOf, routeCaller, type CallRoute, type CallingRequest } from './pipeline/call-route.ts';
export {
  assertRole,
  assertWritable,
  isWritable,
  type CompanyRequest,
} from './pipeline/company-policy.ts';
export { assertScope } from './pipeline/caller-kind.ts';
export * from './core.ts';
export * from './pipeline/define-route.ts';
export { bodyBytesOf } from './pipeline/read-body.ts';
export { matchesEtag, parseEntityTags } from './pipeline/entity-tags.ts';
export { pageCursor } from './pipeline/page-cursor.ts';
export { fieldErrors } from './pipeline/parse-request.ts';
export { parseJsonInSegments } from './pipeline/parse-json-in-segments.ts';
export { prefers, prefersMinimal } from './pipeline/prefer.ts';
export { runService } from './run-service.ts';
export { routesOf } from './pipeline/routes-of.ts';
export { streamed, reply } from './pipeline/reply.ts';
export { checkMaxAgeMs, type RecheckCaller } from './pipeline/confirm-caller.ts';
export {
  callerRecheck,
  type AgentState,
  type CallerLookups,
  type NamedAgent,
  type NamedOperator,
  type OperatorState,
} from './pipeline/caller-recheck.ts';
export { companyScope, type AssertVisible, type Owners } from './pipeline/resolve-company.ts';
export { assertConnected, type Reader, type Work, type WorkLimits } from './pipeline/work.ts';
export { writeJsonInSegments } from './pipeline/write-json-in-segments.ts';
export type {
  StreamedBody,
  CompanyScope,
  Reply,
  Route,
  RouteRequest,
} from './pipeline/route-types.ts';
