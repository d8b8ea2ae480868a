import type { Replica } from './replica.ts';

/** Refusals that an edit does not change, but a wider grant, a decision about other proposals, or a newer application. */
const resentCodes: ReadonlySet<string> = new Set([
  'folder_not_granted',
  'proposal_limit',
  'proposals_only',
]);

/**
 * Lets edits be sent once more that were refused for a cause that may have gone. So are refused deletions, which only
 * stores of earlier versions have: refused again, they no longer hide their notes.
 */
export const forgetPassingRefusals = (replica: Replica): void => {
  for (const note of replica.pending()) {
    const { refusal, draft } = note;
    if (refusal && (resentCodes.has(refusal.code) || draft?.text === null)) {
      replica.setNote({ ...note, refusal: null });
    }
  }
};
