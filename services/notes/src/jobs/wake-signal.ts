/** Wakes idle workers of this process. */
export type WakeSignal = {
  readonly notify: () => void;
  /** Resolves at the next `notify`, after the time, or when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Creates a wake signal. It starts new work before the next poll; work of other processes is polled for. */
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
