import type { Schema } from '../api-client.ts';
import {
  unknownNote,
  type Draft,
  type LocalNote,
  type Mutation,
  type Origin,
  type Outstanding,
  type Version,
} from './local-note.ts';
import { textOf } from './note-text.ts';

type Result = Schema<'SyncChangeResult'>;

/** What an answer makes of a note. */
export type Settled = {
  readonly note: LocalNote;
  /** The note that goes on with the edits made on top of what lost a conflict. */
  readonly copy: LocalNote | null;
  /** What the text that was sent is on the server: further edits of it are made from there. */
  readonly origin: Origin;
};

/** Takes the answer to the outstanding change of a note in. */
export const settleNote = (note: LocalNote, result: Result): Settled => {
  const { outstanding } = note;
  if (!outstanding) {
    return { note, copy: null, origin: { revision: note.server?.revision ?? null } };
  }
  if (result.status === 'rejected') {
    return refused(note, outstanding, result);
  }
  const { mutation } = outstanding;
  const server = newest(note.server, versionAfter(note, mutation, result));
  const settled: LocalNote = { ...note, server, outstanding: null };
  const copyId = result.conflictNoteId;
  if (copyId !== undefined) {
    const origin = { revision: 1 };
    const copy = note.draft && { ...unknownNote(copyId), draft: { ...note.draft, origin } };
    return { note: { ...settled, draft: null }, copy, origin };
  }
  const origin = originAfter(mutation, result);
  return { note: { ...settled, draft: moved(note.draft, origin) }, copy: null, origin };
};

/** What was refused becomes a draft again, so that nothing the user wrote is ever dropped. */
const refused = (note: LocalNote, outstanding: Outstanding, { error }: Result): Settled => {
  const { mutation, follows } = outstanding;
  const origin: Origin = follows ? { mutation: follows } : { revision: mutation.baseRevision };
  const refusal = { code: error?.code ?? 'internal', detail: error?.detail ?? 'No reason given' };
  const text = note.draft ? note.draft.text : mutation.text;
  return {
    note: {
      ...note,
      outstanding: null,
      draft: { text, origin },
      // A later edit may have mended what was wrong.
      refusal: note.draft ? null : refusal,
    },
    copy: null,
    origin,
  };
};

const moved = (draft: Draft | null, origin: Origin): Draft | null => draft && { ...draft, origin };

/** A merged text is nowhere on the server as it was sent: only the mutation itself names it. */
const originAfter = (mutation: Mutation, { status, revision }: Result): Origin =>
  status === 'merged' || status === 'conflict' ? { mutation } : { revision };

/** The note on the server after the change; 'unknown' when the answer leaves it to the pull. */
const versionAfter = (
  note: LocalNote,
  { text }: Mutation,
  { note: sent, status, revision }: Result,
): Version | null | 'unknown' => {
  if (sent) {
    return versionOf(sent);
  }
  if (status === 'merged' || status === 'conflict' || (text && revision === null)) {
    return 'unknown';
  }
  return text && revision !== null
    ? { revision, text, conflictOf: note.server?.conflictOf ?? null }
    : null;
};

const newest = (known: Version | null, told: Version | null | 'unknown'): Version | null => {
  if (told === 'unknown') {
    return known;
  }
  return known && told && known.revision > told.revision ? known : told;
};

/**
 * Takes a note of a pull in. Pending edits stay: the server judges them by what they were made from. During
 * a full pull the server wins over what was known: after a restore its revisions may be lower.
 */
export const pullNote = (note: LocalNote, pulled: Schema<'NoteOrSummary'>): LocalNote => ({
  ...note,
  server:
    pulled.deletedAt === null
      ? newest(note.isUnseen ? null : note.server, versionOf(pulled))
      : null,
  isUnseen: false,
});

/** A note of the API as a version. */
const versionOf = (note: Schema<'NoteOrSummary'>): Version => ({
  revision: note.revision,
  text: textOf(note),
  conflictOf: note.conflictOf,
});
