import type { Schema } from '../api-client.ts';
import {
  isPending,
  unknownNote,
  type Draft,
  type LocalNote,
  type Mutation,
  type Origin,
  type InFlightChange,
  type Version,
} from './local-note.ts';
import { isSameText, textOf } from './note-text.ts';

type Result = Schema<'SyncChangeResult'>;

/** The effect of a result on a note. */
export type AppliedResult = {
  readonly note: LocalNote;
  /** The conflict copy that takes over edits made on top of the losing text. */
  readonly copy: LocalNote | null;
  /** The base of further edits of the text that was sent. */
  readonly origin: Origin;
};

/** Applies the server's result to the outstanding change of a note; `find` returns what is known of a conflict copy. */
export const applyResult = (
  note: LocalNote,
  result: Result,
  find: (id: string) => LocalNote = unknownNote,
): AppliedResult => {
  const { outstanding } = note;
  if (!outstanding) {
    return { note, copy: null, origin: { revision: note.server?.revision ?? null } };
  }
  if (result.status === 'rejected' || result.status === 'proposed') {
    return rejected(note, outstanding, result);
  }
  const { mutation } = outstanding;
  const server = newerVersion(note.server, versionAfter(note, mutation, result));
  const updated: LocalNote = { ...note, server, outstanding: null };
  const copyId = result.conflictNoteId;
  if (copyId !== undefined) {
    return afterConflict(updated, find(copyId), mutation);
  }
  const origin = originAfter(mutation, result);
  return { note: { ...updated, draft: rebase(note.draft, origin) }, copy: null, origin };
};

/**
 * Edits made on top of the losing text go on in its copy. If the copy was pulled and edited before the result was known, both
 * drafts stay where they are, and the server merges or keeps this one.
 */
const afterConflict = (note: LocalNote, known: LocalNote, mutation: Mutation): AppliedResult => {
  if (note.draft && isPending(known)) {
    const origin = { mutation };
    return { note: { ...note, draft: { ...note.draft, origin } }, copy: null, origin };
  }
  const origin = { revision: 1 };
  const copy = note.draft && { ...known, draft: { ...note.draft, origin } };
  return { note: { ...note, draft: null }, copy, origin };
};

/**
 * A rejected change becomes a draft again, so that no text of the user is lost. So does a proposal, until the note is as it
 * says, or is edited again. A rejected deletion has no text, and as a draft it would hide a note that goes on.
 */
const rejected = (
  note: LocalNote,
  outstanding: InFlightChange,
  { error, proposalId }: Result,
): AppliedResult => {
  const { mutation, follows } = outstanding;
  const origin: Origin = follows ? { mutation: follows } : { revision: mutation.baseRevision };
  const rejection =
    proposalId === undefined
      ? {
          code: error?.code ?? 'internal',
          detail: error?.detail ?? 'The server gave no reason.',
        }
      : {
          code: 'proposed',
          detail: `proposed, not yet applied (proposal ${proposalId})`,
          proposalId,
        };
  if (!note.draft && mutation.text === null) {
    return { note: { ...note, outstanding: null, refusal: null }, copy: null, origin };
  }
  const text = note.draft ? note.draft.text : mutation.text;
  return {
    note: {
      ...note,
      outstanding: null,
      draft: { text, origin },
      // A later edit may have fixed the cause.
      refusal: note.draft ? null : rejection,
    },
    copy: null,
    origin,
  };
};

const rebase = (draft: Draft | null, origin: Origin): Draft | null => draft && { ...draft, origin };

/** The server has no revision with the text that was merged, so only the mutation identifies it. */
const originAfter = (mutation: Mutation, { status, revision }: Result): Origin =>
  status === 'merged' || status === 'conflict' ? { mutation } : { revision };

/** The server's version after the change; 'unknown' when only the pull brings it. */
const versionAfter = (
  note: LocalNote,
  { text }: Mutation,
  { note: returned, status, revision }: Result,
): Version | null | 'unknown' => {
  if (returned) {
    return versionOf(returned);
  }
  if (status === 'merged' || status === 'conflict' || (text && revision === null)) {
    return 'unknown';
  }
  return text && revision !== null
    ? { revision, text, conflictOf: note.server?.conflictOf ?? null }
    : null;
};

const newerVersion = (
  known: Version | null,
  reported: Version | null | 'unknown',
): Version | null => {
  if (reported === 'unknown') {
    return known;
  }
  return known && reported && known.revision > reported.revision ? known : reported;
};

/**
 * Applies a pulled note. Pending edits stay: the server decides about them by their base. During a full
 * pull the server's version replaces the known one, because revisions may be lower after a restore.
 */
export const applyPulledNote = (note: LocalNote, pulled: Schema<'NoteOrSummary'>): LocalNote => ({
  ...withdrawn(withoutAccepted(note, pulled), pulled.reason === 'not_granted'),
  server:
    pulled.deletedAt === null
      ? newerVersion(note.isUnseen ? null : note.server, versionOf(pulled))
      : null,
  isUnseen: false,
});

/** A proposal of which the note is what it says was accepted: nothing is pending any more. Others are read: `FollowProposals`. */
const withoutAccepted = (note: LocalNote, pulled: Schema<'NoteOrSummary'>): LocalNote =>
  note.refusal?.code === 'proposed' &&
  note.draft?.text &&
  pulled.deletedAt === null &&
  isSameText(note.draft.text, textOf(pulled))
    ? { ...note, draft: null, refusal: null }
    : note;

/** Whether the note is hidden; only then it says so, as in stores of earlier versions. */
const withdrawn = (known: LocalNote, isHidden: boolean): LocalNote => {
  const { isWithdrawn: _, ...note } = known;
  return isHidden ? { ...note, isWithdrawn: true } : note;
};

/** Converts a note of the API. */
const versionOf = (note: Schema<'NoteOrSummary'>): Version => ({
  revision: note.revision,
  text: textOf(note),
  conflictOf: note.conflictOf,
});
