/** What a page notices when a machine wakes, or one comes back to it: timers that slept go on where they stopped. */
const wakings = [
  [document, 'visibilitychange'],
  [document, 'resume'],
  [window, 'focus'],
  [window, 'online'],
] as const;

/** Those that a timer calls, by its interval. */
const timers = new Map<number, Set<() => void>>();

/**
 * Calls a function at an interval, and when the page wakes; returns a function that ends it. All with one interval share
 * a timer: a list shows a time in each row, and rows come and go with every frame of scrolling.
 */
export const callEvery = (intervalMs: number, call: () => void): (() => void) => {
  const calls = timers.get(intervalMs) ?? startTimer(intervalMs);
  calls.add(call);
  return () => void calls.delete(call);
};

const startTimer = (intervalMs: number): Set<() => void> => {
  const calls = new Set<() => void>();
  timers.set(intervalMs, calls);
  const callAll = () => calls.forEach((call) => call());
  setInterval(callAll, intervalMs);
  wakings.forEach(([target, name]) => target.addEventListener(name, callAll));
  return calls;
};
