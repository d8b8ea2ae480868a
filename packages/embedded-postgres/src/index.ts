export { findBinaries } from './find-binaries.ts';
export type { Binaries } from './find-binaries.ts';
export { findFreePort } from './find-free-port.ts';
export { findServerUser } from './find-server-user.ts';
export { mallocEnvironment } from './malloc-environment.ts';
export { programOptions, runProgram } from './run-program.ts';
export type { OsUser } from './run-program.ts';
export { startPostgres } from './start-postgres.ts';
export type { PostgresOptions, RunningPostgres } from './start-postgres.ts';
