export { appUrl } from './app-url.ts';
export { hasCitus } from './has-citus.ts';
export { migrateAll } from './migrate-all.ts';
export type { MigrateOptions } from './migrate-all.ts';
export { readMigrationEnvironment } from './migration-environment.ts';
export { serviceNames } from './service-names.ts';
export type { RolePasswords, ServiceName } from './service-names.ts';
export { readHistory } from './read-history.ts';
export { namesOfMigrations } from './migration-source.ts';
