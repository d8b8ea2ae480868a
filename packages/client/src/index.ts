export type * from './api-types.ts';
export { createClient } from './create-client.ts';
export type { Answer, ApiClient, ClientOptions, Schema } from './api-client.ts';
export { ProblemError, type FieldError, type ProblemCode } from './problem-error.ts';
export type { Credential } from './authorize.ts';
export type { RetryPolicy } from './retry-policy.ts';
export * from './sync/index.ts';
