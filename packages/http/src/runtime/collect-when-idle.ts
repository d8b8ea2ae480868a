import { performance } from 'node:perf_hooks';
import { collector } from './trim-memory.ts';

/** Shares of the time in which the event loop works. */
const busy = 0.2;
const idle = 0.05;

/**
 * Collects all garbage once, when a busy process has become idle. The buffers of requests are not in the heap of V8, so
 * it sees little reason to collect, and without requests nothing else makes it. It takes about 50 ms; unlike that of
 * `trimMemory` it keeps hidden classes (docs/adr/0032).
 */
export const collectWhenIdle = ({ everyMs = 5_000 } = {}): void => {
  let wasBusy = false;
  let before = performance.eventLoopUtilization();
  let collect: ReturnType<typeof collector> | undefined;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (wasBusy && utilization < idle) {
      wasBusy = false;
      collect ??= collector();
      collect({ type: 'major', execution: 'sync', flavor: 'regular' });
      return;
    }
    wasBusy ||= utilization > busy;
  }, everyMs).unref();
};
