/**
 * Calls back after a time, but not before input that arrived meanwhile is read: a busy process must not report
 * another one as late. Returns the function that cancels it. The timer does not keep the process alive.
 */
export const afterReading = (ms: number, callback: () => void): (() => void) => {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(callback);
  }, ms).unref();
  return () => {
    clearTimeout(timer);
    // What was read then may be what was waited for.
    clearImmediate(reading);
  };
};
