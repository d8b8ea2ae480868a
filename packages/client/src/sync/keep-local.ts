import { isPending, type LocalNote, type Origin } from './local-note.ts';
import { isSameText } from './note-text.ts';

/*
 * A restored server has lost what was written since its backup. What it lost, and what it has in an earlier
 * version, stays in the replica as it is and is sent again.
 */

/** Sends the last known version of a note that the server has lost. Unsent edits of the note are sent in its place. */
export const resend = (before: LocalNote, now: LocalNote): LocalNote =>
  before.server && !now.draft && !now.outstanding
    ? {
        ...now,
        draft: { text: before.server.text, origin: { revision: before.server.revision } },
        refusal: null,
      }
    : now;

/**
 * Applies a note of a restored server. If its version is older than the replica's (`isStale`), the replica's
 * version follows it. If it may be newer, the replica's version keeps its base, which the restored server does
 * not have, so that the server keeps both as it does after a conflict.
 */
export const keepLocal = (
  before: LocalNote,
  pulled: LocalNote,
  { isStale }: { readonly isStale: boolean },
): LocalNote => {
  const { server } = pulled;
  if (!before.isUnseen || !before.server || !server) {
    return pulled;
  }
  const isSame = isSameText(before.server.text, server.text);
  if (isSame || isStale) {
    const rebased = rebase(pulled, { revision: server.revision });
    return isSame || isPending(rebased)
      ? rebased
      : {
          ...rebased,
          draft: { text: before.server.text, origin: { revision: server.revision } },
        };
  }
  return resend(before, pulled);
};

/**
 * Moves unsent edits to the restored revision. The restored server does not have a change in flight, or its
 * version would be newer. A deletion keeps its base: the server deletes only the version that the user has seen.
 */
const rebase = (note: LocalNote, origin: Origin): LocalNote => {
  const text = note.draft ? note.draft.text : (note.outstanding?.mutation.text ?? null);
  return text === null ? note : { ...note, outstanding: null, draft: { text, origin } };
};
