export { assertKnownSecret, configurationCheck } from './configuration-check.ts';
export { modeFact, secretsFact } from './configuration-facts.ts';
export { databaseFindings, describeDatabase, type DatabaseServer } from './database-findings.ts';
export { failure, ok, skipped, warning, type Finding } from './finding.ts';
export { RefusedStartError, refuseWrongStart, refusingLater } from './refuse-start.ts';
export { newestMigration, schemaCheck, type SchemaNeeds } from './schema-check.ts';
