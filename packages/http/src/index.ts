export * from './build-app.ts';
export { assertRole, assertWritable, isWritable, type CompanyRequest } from './company-policy.ts';
export * from './core.ts';
export * from './define-route.ts';
export { bodyBytesOf } from './read-body.ts';
export { pageCursor } from './page-cursor.ts';
export { fieldErrors } from './parse-request.ts';
export { parseJsonInParts } from './parse-json-in-parts.ts';
export { inParts, reply } from './reply.ts';
export type { RecheckCaller } from './recheck.ts';
export {
  callerRecheck,
  type AgentState,
  type CallerLookups,
  type NamedAgent,
  type NamedOperator,
  type OperatorState,
} from './recheck-caller.ts';
export type { Owners } from './resolve-company.ts';
export { writeJsonInParts } from './write-json-in-parts.ts';
export type { BodyInParts, CompanyScope, Reply, Route, RouteRequest } from './route-types.ts';
