import type { Replica } from './replica.ts';

/** Refusals that an edit does not change, but a wider grant, a decision about other proposals, or a newer application. */
const resentCodes: ReadonlySet<string> = new Set([
  'folder_not_granted',
  'proposal_limit',
  'proposals_only',
]);

/** Lets edits be sent once more that were refused for a cause that may have gone. */
export const forgetPassingRefusals = (replica: Replica): void => {
  for (const note of replica.pending()) {
    if (note.refusal && resentCodes.has(note.refusal.code)) {
      replica.setNote({ ...note, refusal: null });
    }
  }
};
