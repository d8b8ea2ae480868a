/** Wakes those of this process who wait for something to do. */
export type WakeSignal = {
  readonly notify: () => void;
  /** Resolves at the next ring, after the time, or when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Makes a bell. It spares new work the wait for the next poll; work of other processes is polled for. */
export const createWakeSignal = (): WakeSignal => {
  const waiting = new Set<() => void>();
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, signal.aborted ? 0 : ms);
      signal.addEventListener('abort', wake);
      waiting.add(wake);
    });
  return { notify: () => [...waiting].forEach((wake) => wake()), wait };
};
