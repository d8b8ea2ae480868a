import { draftPrefix } from '../../../api/stored-drafts.ts';
import type { NoteText } from '../note-text.ts';

/** Unsaved work on a note, kept in this browser. */
export type Draft = {
  /** The version that was edited; null means a new note. */
  readonly baseRevision: number | null;
  /** The text of that version. */
  readonly base: NoteText;
  readonly text: NoteText;
  /** ISO 8601. */
  readonly savedAt: string;
};

/** Whose draft of which note; `noteId` is null for a new one. */
export type DraftName = {
  readonly operatorId: string;
  readonly companyId: string;
  readonly noteId: string | null;
};

const keyOf = ({ operatorId, companyId, noteId }: DraftName): string =>
  `${draftPrefix}${operatorId}.${companyId}.${noteId ?? 'new'}`;

/** The draft of a note, if there is one. */
export const readDraft = (name: DraftName): Draft | null => {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null');
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
};

/** Keeps a draft. Returns whether there was space for it; otherwise the draft before it stays. */
export const writeDraft = (name: DraftName, draft: Draft): boolean => {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
};

export const removeDraft = (name: DraftName): void => {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // A browser that keeps no data has no drafts.
  }
};

const isDraft = (value: unknown): value is Draft => {
  const { baseRevision, base, text, savedAt } = (value ?? {}) as Partial<Draft>;
  return (
    (baseRevision === null || Number.isSafeInteger(baseRevision)) &&
    typeof savedAt === 'string' &&
    isNoteText(base) &&
    isNoteText(text)
  );
};

const isNoteText = (value: Partial<NoteText> | undefined): boolean => {
  const { title, content, folder, tags, pinned, archived } = value ?? {};
  return (
    [title, content, folder].every((each) => typeof each === 'string') &&
    [pinned, archived].every((each) => typeof each === 'boolean') &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === 'string')
  );
};
