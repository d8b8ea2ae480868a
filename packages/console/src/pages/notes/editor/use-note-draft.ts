import { changedFields, type NoteText } from '../note-text.ts';
import { draftKeyOf, type Draft, type DraftName } from './drafts.ts';
import { useDraft } from './use-draft.ts';

type NoteDraftOptions = {
  readonly draftName: DraftName;
  /** Whether there is a place for a draft of it. */
  readonly hasDraft?: boolean;
  readonly baseRevision: number | null;
  /** The saved text. */
  readonly saved: NoteText;
  /** The text as it is rendered, a little behind what is typed. */
  readonly text: NoteText;
  /** The text as it is. */
  readonly read: () => NoteText;
};

/** Keeps what is not saved of a note. */
export const useNoteDraft = (options: NoteDraftOptions) => {
  const { draftName, hasDraft = true, baseRevision, saved, text, read } = options;
  const isChanged = changedFields(saved, text).length > 0;
  const draft = useDraft({
    draftKey: hasDraft ? draftKeyOf(draftName) : null,
    isChanged,
    watched: [text, baseRevision],
    read: (): Draft | null => {
      const present = read();
      return changedFields(saved, present).length === 0
        ? null
        : { baseRevision, base: saved, text: present, savedAt: new Date().toISOString() };
    },
  });
  return { ...draft, isChanged };
};
