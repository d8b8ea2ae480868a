import type { NoteText } from './note-text.ts';

/** A note as the server has it. */
export type Version = {
  readonly revision: number;
  readonly text: NoteText;
  /** The note over which there was a conflict, when this one keeps its losing side. */
  readonly conflictOf: string | null;
};

/** A change as it is sent: again and again, word for word, until it is answered. */
export type Mutation = {
  readonly mutationId: string;
  readonly baseRevision: number | null;
  /** Null: delete the note. */
  readonly text: NoteText | null;
};

/**
 * What an edit was made from: a revision of the server (null: a new note), or the text of an earlier
 * mutation of ours that the server stored only in a merged form.
 */
export type Origin = { readonly revision: number | null } | { readonly mutation: Mutation };

/** A change that was never sent. Further edits of the note replace its text. */
export type Draft = {
  /** Null: delete the note. */
  readonly text: NoteText | null;
  readonly origin: Origin;
};

/** A change that may have reached the server. There is one at most for each note. */
export type Outstanding = {
  readonly mutation: Mutation;
  /** Sent again before it, so that the server knows the text this change was made from. */
  readonly follows: Mutation | null;
};

/** Why the server refuses a change for good: it is kept, and sent again only after a further edit. */
type Refusal = { readonly code: string; readonly detail: string };

/** Everything a client knows about one note. */
export type LocalNote = {
  readonly id: string;
  /** Null: the server has no living note of this id, as far as we know. */
  readonly server: Version | null;
  readonly outstanding: Outstanding | null;
  readonly draft: Draft | null;
  readonly refusal: Refusal | null;
  /** A full pull is under way and has not brought this note yet. */
  readonly isUnseen: boolean;
};

/** A note nobody has said anything about. */
export const unknownNote = (id: string): LocalNote => ({
  id,
  server: null,
  outstanding: null,
  draft: null,
  refusal: null,
  isUnseen: false,
});

/** What the user sees: the own edits first; null when the note is gone, or is to go. */
export const visibleText = ({ draft, outstanding, server }: LocalNote): NoteText | null => {
  if (draft) {
    return draft.text;
  }
  return outstanding ? outstanding.mutation.text : (server?.text ?? null);
};

/** Whether something of the note has still to reach the server. */
export const isPending = ({ draft, outstanding }: LocalNote): boolean =>
  draft !== null || outstanding !== null;

/** Whether nothing is known of the note any more, so that it need not be kept. */
export const isForgotten = (note: LocalNote): boolean => note.server === null && !isPending(note);

/**
 * Whether the next push has to carry something of the note. A refused draft waits for an edit: to send
 * it again would be refused again.
 */
export const isToBeSent = (note: LocalNote): boolean =>
  isPending(note) && (note.refusal === null || note.outstanding !== null);
