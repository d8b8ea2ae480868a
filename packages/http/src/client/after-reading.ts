/**
 * Calls back after a time, but not before what arrived meanwhile was read: a process that was busy itself
 * must not call another one late. Gives what calls it off; keeps no process alive.
 */
export const afterReading = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(() => setImmediate(then), ms).unref();
  return () => clearTimeout(timer);
};
