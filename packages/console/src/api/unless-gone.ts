import { isNotFound } from './problems.ts';

/**
 * Waits for the removal of something. One that is gone already is what was wanted: a request that is repeated because its
 * response was lost finds nothing, and so does a second removal by another operator. Returns whether this one found it.
 */
export const unlessGone = async (
  removal: Promise<unknown>,
  isGone: (error: unknown) => boolean = isNotFound,
): Promise<boolean> => {
  try {
    await removal;
    return true;
  } catch (error) {
    if (!isGone(error)) {
      throw error;
    }
    return false;
  }
};
