/** What the keys of drafts in this browser begin with. */
export const draftPrefix = 'commonplace.draft.';

let signOuts = 0;

/** How often somebody has signed out on this page: a form from before keeps no draft any more. */
export const countSignOuts = (): number => signOuts;

/** Removes the drafts of all notes: who signs out leaves nothing in this browser. */
export const removeAllDrafts = (): void => {
  signOuts += 1;
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(draftPrefix))) {
      localStorage.removeItem(key);
    }
  } catch {
    // A browser that keeps no data has no drafts.
  }
};
