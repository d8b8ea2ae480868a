import { performance } from 'node:perf_hooks';
import { collector } from './trim-memory.ts';

/** Shares of the time in which the event loop works. */
const busy = 0.2;
const idle = 0.05;

/** Resident memory of a process after a heavy load, in bytes; 50 to 70 MB of it are shared with the other processes. */
const largeBytes = 200 * 2 ** 20;

/** How many intervals a process counts as one that has just started: by then requests have optimised its code. */
const startIntervals = 6;

/**
 * Collects all garbage once, when a process has started and when a busy process has become idle. The buffers of requests are
 * not in the heap of V8, so it sees little reason to collect, and without requests nothing else makes it. It takes about 50 ms
 * and keeps hidden classes. A process that has just started or is large also gives back the free pages of its heap, which takes
 * longer and drops hidden classes: the next requests of a large one are slower for some time (docs/adr/0032).
 */
export const collectWhenIdle = ({ everyMs = 5_000, largeFromBytes = largeBytes } = {}): void => {
  let state: 'started' | 'busy' | 'idle' = 'started';
  let intervals = 0;
  let before = performance.eventLoopUtilization();
  let collect: ReturnType<typeof collector> | undefined;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    intervals += 1;
    if (state !== 'idle' && utilization < idle) {
      collect ??= collector();
      const isReducing = state === 'started' || process.memoryUsage.rss() > largeFromBytes;
      collect({ type: 'major', execution: 'sync', flavor: isReducing ? 'last-resort' : 'regular' });
      state = 'idle';
    } else if (utilization > busy) {
      state = 'busy';
    } else if (state === 'started' && intervals >= startIntervals) {
      state = 'idle';
    }
  }, everyMs).unref();
};
