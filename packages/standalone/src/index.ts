export { secretNames } from './load-secrets.ts';
export type { ServiceName } from './service-names.ts';
export { startSystem } from './start-system.ts';
export type { RunningSystem, SystemOptions, SystemProcess } from './system-options.ts';
