const shown = new WeakSet<object>();

/** Remembers that the page displays an error. */
export const markShown = (error: unknown): void => {
  if (typeof error === 'object' && error !== null) {
    shown.add(error);
  }
};

/** Whether the page displays an error, or did. */
export const isShown = (error: Error): boolean => shown.has(error);
