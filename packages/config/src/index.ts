export * from './database-fields.ts';
export * from './fields.ts';
export * from './metrics-fields.ts';
export * from './tracing-fields.ts';
export * from './is-loopback.ts';
export * from './oidc-fields.ts';
export * from './parse-env.ts';
export * from './has-terminal.ts';
