export * from './database-fields.ts';
export * from './fields.ts';
export * from './parse-env.ts';
