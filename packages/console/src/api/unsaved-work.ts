/** What says whether a form on the page has unsaved work. */
const forms = new Set<() => boolean>();

/** The unsaved work on the page, of all its forms. */
export const unsavedWork = {
  /** Returns what removes the form. */
  add: (hasUnsavedWork: () => boolean): (() => void) => {
    forms.add(hasUnsavedWork);
    return () => void forms.delete(hasUnsavedWork);
  },
  exists: (): boolean => [...forms].some((hasUnsavedWork) => hasUnsavedWork()),
};
