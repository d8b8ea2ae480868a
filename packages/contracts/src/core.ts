export * from './app-error.ts';
export * from './caller-roles.ts';
export * from './common.ts';
export * from './error-codes.ts';
export * from './ids.ts';
export type { JsonOf } from './json-of.ts';
export * from './new-id.ts';
export * from './problem.ts';
export * from './route-contract.ts';
