export * from './fields.ts';
export * from './parse-env.ts';
