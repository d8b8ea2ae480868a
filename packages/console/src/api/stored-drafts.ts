/** What the keys of drafts in this browser begin with. */
export const draftPrefix = 'commonplace.draft.';

/** Removes the drafts of all notes: who signs out leaves nothing in this browser. */
export const removeAllDrafts = (): void => {
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(draftPrefix))) {
      localStorage.removeItem(key);
    }
  } catch {
    // A browser that keeps no data has no drafts.
  }
};
