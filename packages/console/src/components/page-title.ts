type Listener = (title: string) => void;

const listeners = new Set<Listener>();

/** Where pages say their titles. */
export const pageTitle = {
  set: (title: string): void => listeners.forEach((listener) => listener(title)),
  /** Calls back whenever a page sets its title; returns what ends that. */
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
