import type { LocalNote, Mutation, Origin, Outstanding } from './local-note.ts';
import { isSameText, type NoteText } from './note-text.ts';

/**
 * Takes an edit of the user in; null deletes the note. An edit on top of one that was not sent yet
 * replaces it, and one on top of a change that is under way follows that.
 */
export const editNote = (note: LocalNote, text: NoteText | null, origin: Origin): LocalNote => {
  const from =
    note.draft?.origin ?? (note.outstanding ? { mutation: note.outstanding.mutation } : origin);
  const edited: LocalNote = { ...note, draft: { text, origin: from }, refusal: null };
  return isNothingNew(edited) ? { ...edited, draft: null } : edited;
};

/** The edit leads back to what the server has or is being told. */
const isNothingNew = ({ draft, outstanding, server }: LocalNote): boolean => {
  if (outstanding) {
    return isSame(draft?.text ?? null, outstanding.mutation.text);
  }
  const revision = draft && 'revision' in draft.origin ? draft.origin.revision : undefined;
  return (
    revision === (server?.revision ?? null) && isSame(draft?.text ?? null, server?.text ?? null)
  );
};

const isSame = (a: NoteText | null, b: NoteText | null): boolean =>
  a === null || b === null ? a === b : isSameText(a, b);

/** Turns the draft of a note into the change that is sent from now on, until it is answered. */
export const launchDraft = (note: LocalNote, mutationId: string): LocalNote => {
  const { draft, outstanding } = note;
  if (!draft || outstanding) {
    return note;
  }
  return { ...note, draft: null, outstanding: outstandingOf(draft.origin, draft.text, mutationId) };
};

const outstandingOf = (origin: Origin, text: NoteText | null, mutationId: string): Outstanding => {
  if ('revision' in origin) {
    return { mutation: { mutationId, baseRevision: origin.revision, text }, follows: null };
  }
  const follows: Mutation = origin.mutation;
  return { mutation: { mutationId, baseRevision: follows.baseRevision, text }, follows };
};
