import type { NoteText } from './note-text.ts';

/** A note as stored on the server. */
export type Version = {
  readonly revision: number;
  readonly text: NoteText;
  /** The note that had the conflict, when this note is its conflict copy. */
  readonly conflictOf: string | null;
};

/** A change as it is sent, and resent unchanged until its result is known. */
export type Mutation = {
  readonly mutationId: string;
  readonly baseRevision: number | null;
  /** Null means delete the note. */
  readonly text: NoteText | null;
};

/**
 * The base of an edit: a revision of the server (null for a new note), or the text of an earlier mutation
 * that the server stored only in merged form.
 */
export type Origin = { readonly revision: number | null } | { readonly mutation: Mutation };

/** A change that was not sent yet. Further edits of the note replace its text. */
export type Draft = {
  /** Null means delete the note. */
  readonly text: NoteText | null;
  readonly origin: Origin;
};

/** A change that may have reached the server. Each note has at most one. */
export type InFlightChange = {
  readonly mutation: Mutation;
  /** Resent before this change, so that the server knows its base. */
  readonly follows: Mutation | null;
};

/** Why the server rejected a change. It is kept, and resent after another edit, or as `forgetPassingRefusals` says. */
export type Rejection = {
  readonly code: string;
  readonly detail: string;
  /** What the change became. Absent for other refusals, and in stores of earlier versions. */
  readonly proposalId?: string;
};

/** Everything that a client stores about one note. The stores persist these property names. */
export type LocalNote = {
  readonly id: string;
  /** Null means as far as is known, the server has no active note with this id. */
  readonly server: Version | null;
  readonly outstanding: InFlightChange | null;
  readonly draft: Draft | null;
  readonly refusal: Rejection | null;
  /** A full pull is running and has not brought this note yet. */
  readonly isUnseen: boolean;
  /** The server has it perhaps, but hides it from this credential. Kept until the application has taken note. */
  readonly isWithdrawn?: boolean;
};

/** A note about which nothing is known. */
export const unknownNote = (id: string): LocalNote => ({
  id,
  server: null,
  outstanding: null,
  draft: null,
  refusal: null,
  isUnseen: false,
});

/** The text that the user sees, including unsent edits; null when the note is or will be deleted. */
export const visibleText = ({ draft, outstanding, server }: LocalNote): NoteText | null => {
  if (draft) {
    return draft.text;
  }
  return outstanding ? outstanding.mutation.text : (server?.text ?? null);
};

/** Whether the note has changes that the server has not confirmed. */
export const isPending = ({ draft, outstanding }: LocalNote): boolean =>
  draft !== null || outstanding !== null;

/** Whether nothing is left to know about the note, so that a store may drop it. */
export const isDiscardable = (note: LocalNote): boolean =>
  note.server === null && !isPending(note) && note.isWithdrawn !== true;

/**
 * Whether the next push includes the note. A rejected draft waits for another edit, because the server
 * would reject it again; see also `forgetPassingRefusals`.
 */
export const isReadyToPush = (note: LocalNote): boolean =>
  isPending(note) && (note.refusal === null || note.outstanding !== null);
