import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import { readDraft, type Draft, type DraftChoices, type DraftName } from './drafts.ts';

export type Note = Schema<'NoteData'>;

/** The version that a text was made from. */
export type EditBase = NoteText & Pick<Note, 'id' | 'companyId' | 'revision' | 'properties'>;

/** The revision of a note before it is first saved. */
const notSaved = 0;

/** What a new note is made from. */
export const newNote = (place: Pick<Note, 'id' | 'companyId'>, text: NoteText): EditBase => ({
  ...place,
  ...text,
  revision: notSaved,
  properties: {},
});

/** Whether the note is not there yet. */
export const isNew = ({ revision }: Pick<EditBase, 'revision'>): boolean => revision === notSaved;

/** The revision being edited, the edited text, and what another writer saved in the meantime. */
export type EditStart = {
  readonly base: EditBase;
  readonly text: NoteText;
  readonly theirs: Note | null;
  /** When the draft was kept that the text comes from; null means from none. */
  readonly draftAt: string | null;
  /** What the draft has chosen between its text and the newer version; null: nothing. */
  readonly chosen: DraftChoices | null;
  /** What was sent over the base, and may be stored or not. */
  readonly sent: readonly NoteText[];
};

/** Where editing a note starts: from the note, or from the draft of an earlier visit with its base. */
export const useDraftStart = (note: Note, draftName: DraftName): EditStart => {
  const [start] = useState(() => startOf(note, readDraft(draftName)));
  return start;
};

const startOf = (note: Note, draft: Draft | null): EditStart => {
  if (!draft?.baseRevision || changedFields(textOf(note), draft.text).length === 0) {
    return { base: note, text: textOf(note), theirs: null, draftAt: null, chosen: null, sent: [] };
  }
  const { baseRevision: revision, base, text, savedAt: draftAt, chosen = null, sent = [] } = draft;
  // Who had begun to choose goes on with it.
  const theirs = chosen && note.revision > revision ? note : null;
  return { base: { ...note, ...base, revision }, text, theirs, draftAt, chosen, sent };
};
