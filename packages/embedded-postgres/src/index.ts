export { findBinaries } from './find-binaries.ts';
export type { Binaries } from './find-binaries.ts';
export { findFreePort } from './find-free-port.ts';
export { startPostgres } from './start-postgres.ts';
export type { PostgresOptions, RunningPostgres } from './start-postgres.ts';
