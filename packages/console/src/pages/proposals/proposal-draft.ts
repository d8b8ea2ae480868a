import type { Schema } from '@commonplace/client';
import { readStored, textsOfKeys } from '../../api/stored-drafts.ts';

type Note = Schema<'NoteData'>;

/** A proposed text in an editor, and what it was made from. */
export type EditStart = {
  readonly text: string;
  /** The text lacks what others have written since: accepting it discards that. */
  readonly isReplacing: boolean;
  /** The note that it was made from; null: a new note. */
  readonly note: Note | null;
  /** It was written on an earlier visit, and not accepted. */
  readonly isDraft: boolean;
};

/** The draft under a key; null: none. */
export const readProposalDraft = (key: string): EditStart | null => {
  const draft = readStored(key);
  return isEditStart(draft) ? { ...draft, isDraft: true } : null;
};

export const hasProposalDraft = (key: string): boolean => readProposalDraft(key) !== null;

/** The texts of drafts, to be copied. */
export const textsOfProposalDrafts = (keys: readonly string[]) =>
  textsOfKeys(keys, readProposalDraft, ({ text }) => text);

const isEditStart = (value: unknown): value is EditStart => {
  const { text, isReplacing, note } = (value ?? {}) as Partial<EditStart>;
  return (
    typeof text === 'string' &&
    typeof isReplacing === 'boolean' &&
    (note === null || (typeof note?.content === 'string' && Number.isSafeInteger(note.revision)))
  );
};
