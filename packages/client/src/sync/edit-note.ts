import type { LocalNote, Mutation, Origin, InFlightChange } from './local-note.ts';
import { isSameText, type NoteText } from './note-text.ts';

/**
 * Applies an edit of the user; null deletes the note. An edit replaces a draft that was not sent yet, and
 * follows a change in flight.
 */
export const editNote = (note: LocalNote, text: NoteText | null, origin: Origin): LocalNote => {
  const from =
    note.draft?.origin ?? (note.outstanding ? { mutation: note.outstanding.mutation } : origin);
  const edited: LocalNote = { ...note, draft: { text, origin: from }, refusal: null };
  return isNoOp(edited) ? { ...edited, draft: null } : edited;
};

/** Whether the edit restores the text that the server has or is being sent. */
const isNoOp = ({ draft, outstanding, server }: LocalNote): boolean => {
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

/** Turns the draft of a note into a change in flight, which is resent unchanged until its result. */
export const promoteDraft = (note: LocalNote, mutationId: string): LocalNote => {
  const { draft, outstanding } = note;
  if (!draft || outstanding) {
    return note;
  }
  return {
    ...note,
    draft: null,
    outstanding: inFlightChange(draft.origin, draft.text, mutationId),
  };
};

const inFlightChange = (
  origin: Origin,
  text: NoteText | null,
  mutationId: string,
): InFlightChange => {
  if ('revision' in origin) {
    return { mutation: { mutationId, baseRevision: origin.revision, text }, follows: null };
  }
  const follows: Mutation = origin.mutation;
  return { mutation: { mutationId, baseRevision: follows.baseRevision, text }, follows };
};
