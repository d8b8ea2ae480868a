export { createLimiter } from './limiter.ts';
export { createFairLimiter } from './fair-limiter.ts';
export { createKeyedLimiter } from './keyed-limiter.ts';
export { coalesceFresh } from './single-flight.ts';
export { lowerThreadPriority } from './lower-thread-priority.ts';
export { pause } from './pause.ts';
export { runPeriodically } from './run-periodically.ts';
export { createShortLivedMap } from './short-lived-map.ts';
export { createTaskThread, type TaskThread } from './task-thread.ts';
