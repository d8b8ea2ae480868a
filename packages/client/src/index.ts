export type * from '../generated/api-types.ts';
export { createClient } from './create-client.ts';
export type { ApiResponse, ApiClient, ClientOptions, Schema } from './api-client.ts';
export { ProblemError, type FieldError, type ProblemCode } from './problem-error.ts';
export type { Credential } from './authorize.ts';
export type { RetryPolicy } from './retry.ts';
export * from './sync/index.ts';
export * from './memory/index.ts';
