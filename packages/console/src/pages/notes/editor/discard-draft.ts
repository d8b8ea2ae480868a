import { notifications } from '@mantine/notifications';
import { removeStored } from '../../../api/stored-drafts.ts';
import { listTaken } from '../../../api/tab-lock.ts';
import { draftKeyOf, type DraftName } from './drafts.ts';
import type { DraftHandle } from './use-draft.ts';

/** Gives up the draft that a form began with, and what was written in the form since. */
export const discardDraft = (form: DraftHandle | null, name: DraftName): void => {
  form?.forgetDraft();
  discardStored(draftKeyOf(name));
};

/** Gives up what is stored under the key of a draft. */
export const discardStored = (key: string): void => {
  removeStored(key);
  notifications.show({ message: 'Draft discarded.' });
};

/** Gives up a draft that is in no editor of this page, unless another tab has opened it by now. */
export const discardLeft = async (key: string): Promise<void> => {
  const taken = await listTaken();
  if (taken.has(key)) {
    notifications.show({ message: 'Another tab is editing this draft, so it stays.' });
    return;
  }
  discardStored(key);
};
