const key = 'commonplace.parting-message';

/** What a page has to say that is about to be left, also by loading another document: the next page displays it. */
export const partingMessage = {
  set: (text: string): void => {
    try {
      sessionStorage.setItem(key, text);
    } catch {
      // A browser that keeps nothing displays nothing.
    }
  },
  /** The message, once; null if there is none. */
  take: (): string | null => {
    try {
      const text = sessionStorage.getItem(key);
      sessionStorage.removeItem(key);
      return text;
    } catch {
      return null;
    }
  },
};
