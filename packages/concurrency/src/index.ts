export {
  createBatchQueue,
  entriesThatPass,
  type BatchSize,
  type SettleEntry,
} from './batch-queue.ts';
export { createByteBudget } from './byte-budget.ts';
export { createLimiter, type Limiter } from './limiter.ts';
export { createFairLimiter } from './fair-limiter.ts';
export { createKeyedFairLimiter, type KeyedFairLimiter } from './keyed-fair-limiter.ts';
export { createKeyedCounter } from './keyed-counter.ts';
export { createKeyedLimiter, type KeyedLimiter } from './keyed-limiter.ts';
export { coalesceFresh } from './coalesce-fresh.ts';
export { lowerThreadPriority } from './lower-thread-priority.ts';
export { pause } from './pause.ts';
export { pauseAfter, runPeriodically } from './run-periodically.ts';
export { createShortLivedMap } from './short-lived-map.ts';
export { streamInSlot } from './stream-in-slot.ts';
export { createTaskThread, type TaskThread } from './task-thread.ts';
export { createThreadMemory, type ThreadMemory } from './thread-memory.ts';
export { createYieldInTime, type YieldInTime } from './yield-in-time.ts';
