/** Takes the time of parts that follow each other. */
export type Stopwatch = {
  /** Ends a part, which began with the end of the one before. */
  readonly lap: (name: string) => void;
  /** Seconds of each part, in order. */
  readonly seconds: ReadonlyMap<string, number>;
};

/** Starts the first part. */
export const createStopwatch = (): Stopwatch => {
  const seconds = new Map<string, number>();
  let startedMs = performance.now();
  return {
    seconds,
    lap: (name) => {
      const nowMs = performance.now();
      seconds.set(name, (seconds.get(name) ?? 0) + (nowMs - startedMs) / 1_000);
      startedMs = nowMs;
    },
  };
};
