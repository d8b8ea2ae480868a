/** What the keys of drafts in this browser begin with. */
export const draftPrefix = 'commonplace.draft.';

let signOuts = 0;

/** The sign-outs on this page so far: a form that was opened before one stores no more drafts. */
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
