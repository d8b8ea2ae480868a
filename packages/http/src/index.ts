export * from './build-app.ts';
export { assertWritable, isWritable } from './company-policy.ts';
export * from './core.ts';
export * from './define-route.ts';
export { pageCursor } from './page-cursor.ts';
export { fieldErrors } from './parse-request.ts';
export { reply } from './reply.ts';
export type { Owners } from './resolve-company.ts';
export type { CompanyScope, Reply, Route, RouteRequest } from './route-types.ts';
