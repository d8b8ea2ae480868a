export * from './create-db.ts';
export * from './array-values.ts';
export * from './pg-error-codes.ts';
export { refuseForeignSchema } from './refuse-schema.ts';
export { schemaCheck, type SchemaNeeds } from './schema-check.ts';
export { mayBeCommitted, type RunQuery, type SqlValue } from './transaction.ts';
export * from './with-company.ts';
export * from './with-global.ts';
