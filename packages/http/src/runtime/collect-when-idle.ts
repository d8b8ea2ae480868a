import { performance } from 'node:perf_hooks';
import { collector } from './trim-memory.ts';

/** Shares of the time in which the event loop works. */
const busy = 0.2;
const idle = 0.05;

/** Resident memory of a process after a heavy load, in bytes; 50 to 70 MB of it are shared with the other processes. */
const largeBytes = 200 * 2 ** 20;

/** How many intervals a process counts as one that has just started: by then requests have optimised its code. */
const startIntervals = 6;

/** Idle intervals after which a load counts as over. */
const overIntervals = 6;

/** What a process gains by requests that never make it busy, before it collects again. */
const grownBytes = 32 * 2 ** 20;

/**
 * Collects all garbage once when a process has started, and when a busy process has become idle. The buffers of requests are
 * not in the heap of V8, so it sees little reason to collect, and without requests nothing else makes it. It takes about 50 ms
 * and keeps hidden classes. A process that has just started or is large also gives back the free pages of its heap, which takes
 * longer and drops hidden classes: the next requests are slower for some time (docs/adr/0032). Others do so once their load is
 * over for good, and again once they have grown.
 */
export const collectWhenIdle = ({ everyMs = 5_000, largeFromBytes = largeBytes } = {}): void => {
  let state: 'started' | 'busy' | 'collected' | 'idle' = 'started';
  let [intervals, idleIntervals] = [0, 0];
  let before = performance.eventLoopUtilization();
  let collect: ReturnType<typeof collector> | undefined;
  let restingBytes = 0;
  const rest = (): void => {
    state = 'idle';
    restingBytes = process.memoryUsage.rss();
  };
  const hasGrown = (): boolean => process.memoryUsage.rss() - restingBytes > grownBytes;
  const run = (isReducing: boolean): void => {
    collect ??= collector();
    collect({ type: 'major', execution: 'sync', flavor: isReducing ? 'last-resort' : 'regular' });
    if (isReducing) {
      rest();
    } else {
      state = 'collected';
    }
  };
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    intervals += 1;
    idleIntervals = utilization < idle ? idleIntervals + 1 : 0;
    if (utilization > busy) {
      state = 'busy';
    } else if (state === 'busy' && idleIntervals > 0) {
      run(process.memoryUsage.rss() > largeFromBytes);
    } else if (idleIntervals >= (state === 'started' ? 1 : overIntervals)) {
      if (state !== 'idle' || hasGrown()) {
        run(true);
      }
    } else if (state === 'started' && intervals >= startIntervals) {
      rest();
    }
  }, everyMs).unref();
};
