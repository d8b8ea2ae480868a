/** What needs no express: problems, logs, listening, calling services. The gateway imports only this. */
export * from './call-service.ts';
export * from './create-log.ts';
export * from './problem.ts';
export * from './serve.ts';
export { codeOf } from './system-error-code.ts';
