import type { Schema } from '@commonplace/client';
import { readStored, textsOfKeys } from '../../../api/stored-drafts.ts';
import { conflictParts, textOfChoices, type ChangeChoice } from './conflict-parts.ts';

type Note = Schema<'NoteData'>;

/** The choices and the text of an operator on the page of a conflict. */
export type ConflictWork = {
  /** By change; null: not decided. */
  readonly choices: readonly (ChangeChoice | null)[];
  /** The text written by hand; null: none. */
  readonly written: string | null;
  /** What was chosen of versions that are no more the newest, where that does not apply to these; absent, null: nothing. */
  readonly earlier?: string | null;
};

/** Work that was not saved, and the two versions it was made of. */
export type ConflictDraft = ConflictWork & {
  readonly note: Note;
  /** The text of the conflict copy. */
  readonly other: string;
};

/** The draft under a key; null: none. */
export const readConflictDraft = (key: string): ConflictDraft | null => {
  const draft = readStored(key);
  return isConflictDraft(draft) ? draft : null;
};

export const hasConflictDraft = (key: string): boolean => readConflictDraft(key) !== null;

/** The text that a draft makes: what is written by hand, or else what is chosen, and below it what was chosen earlier. */
export const draftText = (draft: ConflictDraft): string => {
  const { choices, written, earlier = null } = draft;
  const hasWork = written !== null || choices.some((choice) => choice !== null);
  return [hasWork || earlier === null ? (written ?? chosenText(draft)) : null, earlier]
    .filter((text) => text !== null)
    .join('\n\n');
};

/** The texts of drafts, to be copied. */
export const textsOfDrafts = (keys: readonly string[]) =>
  textsOfKeys(keys, readConflictDraft, draftText);

const chosenText = ({ choices, note, other }: ConflictDraft): string => {
  const parts = conflictParts(note.content, other);
  const chosen = choices.map((choice) => choice ?? undefined);
  return parts ? textOfChoices(parts, chosen) : `${note.content}\n${other}`;
};

const isConflictDraft = (value: unknown): value is ConflictDraft => {
  const { choices, written, earlier, note, other } = (value ?? {}) as Partial<ConflictDraft>;
  return (
    Array.isArray(choices) &&
    (written === null || typeof written === 'string') &&
    ['string', 'undefined'].includes(typeof (earlier ?? undefined)) &&
    typeof note?.content === 'string' &&
    typeof note.id === 'string' &&
    Number.isSafeInteger(note.revision) &&
    typeof other === 'string'
  );
};
