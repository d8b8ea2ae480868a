/** How fast a body arrives. */
export type Progress = {
  readonly add: (bytes: number) => void;
  /** The rate of the last seconds; 0 if nothing arrived for one second, infinite in the first. */
  readonly bytesPerSecond: () => number;
};

const windowMs = 1_000;

/** Measures over two windows of at least a second, so that a fast beginning does not hide a slow end. */
export const createProgress = (monotonicMs: () => number): Progress => {
  let before = { fromMs: monotonicMs(), bytes: 0 };
  let current = before;
  let lastMs = before.fromMs;
  return {
    add: (bytes) => {
      lastMs = monotonicMs();
      if (lastMs - current.fromMs >= windowMs) {
        before = current;
        current = { fromMs: lastMs, bytes: 0 };
      }
      current.bytes += bytes;
    },
    bytesPerSecond: () => {
      const nowMs = monotonicMs();
      const elapsedMs = nowMs - before.fromMs;
      if (elapsedMs < windowMs) {
        return Infinity;
      }
      if (nowMs - lastMs >= windowMs) {
        return 0;
      }
      const bytes = before === current ? current.bytes : before.bytes + current.bytes;
      return (bytes * 1_000) / elapsedMs;
    },
  };
};
