export { startSystem } from './start-system.ts';
export type { RunningSystem, SystemOptions, SystemProcess } from './start-system.ts';
export type { ServiceName } from './service-names.ts';
