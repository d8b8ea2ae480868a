import { notifications } from '@mantine/notifications';
import { removeDraft, type DraftName } from './drafts.ts';
import type { NoteFormHandle } from './note-form.tsx';

/** Gives up the draft that a form began with, and what was written in the form since. */
export const discardDraft = (form: NoteFormHandle | null, name: DraftName): void => {
  form?.forgetDraft();
  removeDraft(name);
  notifications.show({ message: 'Draft discarded.' });
};
