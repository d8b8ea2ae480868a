/**
 * Calls back after a time, but not before input that arrived meanwhile is read: a busy process must not report
 * another one as late. Returns the function that cancels it. The timer does not keep the process alive.
 */
export const afterReading = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(() => setImmediate(callback), ms).unref();
  return () => clearTimeout(timer);
};
