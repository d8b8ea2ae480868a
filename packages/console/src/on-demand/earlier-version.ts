const reloadedKey = 'reloaded-for';

let hasUnsavedWork = (): boolean => false;

/** Sets how to find out whether the page has unsaved work: then a missing part does not load the page again. */
export const protectUnsavedWork = (exists: () => boolean): void => {
  hasUnsavedWork = exists;
};

/** Whether the server responded without a file of the console: the page is of another version, whose files have other names. */
export const isOfOtherVersion = (error: unknown): boolean =>
  error instanceof TypeError && error.cause instanceof Error && error.cause.message === '404';

/**
 * Loads the page again if it is of another version than the server, and returns whether it does. Once for each file: one may be
 * missing for another reason.
 */
export const reloadOtherVersion = (error: unknown): boolean => {
  if (!isOfOtherVersion(error) || sessionStorage.getItem(reloadedKey) === String(error)) {
    return false;
  }
  sessionStorage.setItem(reloadedKey, String(error));
  location.reload();
  return true;
};

/** The same for a part of a page, which stays where something is not saved. */
export const reloadForPart = (error: unknown): boolean =>
  !hasUnsavedWork() && reloadOtherVersion(error);
