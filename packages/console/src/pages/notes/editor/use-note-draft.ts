import { changedFields, type NoteText } from '../note-text.ts';
import { draftKeyOf, type Draft, type DraftName } from './drafts.ts';
import { useDraft } from './use-draft.ts';

type NoteDraftOptions = {
  readonly draftName: DraftName;
  /** The id of a new note, so that it is not created twice. */
  readonly newNoteId?: string;
  /** Whether there is a place for a draft of it. */
  readonly hasDraft?: boolean;
  readonly baseRevision: number | null;
  /** The saved text. */
  readonly saved: NoteText;
  /** The text as it is rendered, a little behind what is typed. */
  readonly text: NoteText;
  /** What was sent to be saved over that revision. */
  readonly sentTexts?: () => readonly NoteText[];
  /** The text as it is. */
  readonly read: () => NoteText;
};

/** Keeps what is not saved of a note. */
export const useNoteDraft = (options: NoteDraftOptions) => {
  const {
    draftName,
    newNoteId,
    hasDraft = true,
    baseRevision,
    saved,
    text,
    sentTexts,
    read,
  } = options;
  const isChanged = changedFields(saved, text).length > 0;
  const draft = useDraft({
    draftKey: hasDraft ? draftKeyOf(draftName) : null,
    isChanged,
    watched: [text, baseRevision],
    read: (): Draft | null => {
      const present = read();
      if (changedFields(saved, present).length === 0) {
        return null;
      }
      const sent = sentTexts?.() ?? [];
      const savedAt = new Date().toISOString();
      const draft = { baseRevision, base: saved, text: present, savedAt, id: newNoteId };
      return sent.length === 0 ? draft : { ...draft, sent };
    },
  });
  return { ...draft, isChanged };
};
