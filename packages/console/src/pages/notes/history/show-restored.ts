import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { isChangedSince } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { detailOf } from '../../../components/error-alert.tsx';
import { showWithUndo } from '../../../components/show-with-undo.tsx';
import { undoRevision } from '../undo-revision.ts';

type Restored = {
  readonly companyId: string;
  readonly note: Pick<Schema<'NoteData'>, 'id' | 'revision'>;
  /** The version that the note is as again. */
  readonly version: number;
  /** False: it was as that version already. */
  readonly isChanged: boolean;
};

/** Says which version was restored, with the way back if the note has changed. */
export const showRestored = (
  client: QueryClient,
  { companyId, note, version, isChanged }: Restored,
): void => {
  const { id: noteId, revision } = note;
  if (!isChanged) {
    notifications.show({ message: `The note is as revision ${version} already.` });
    return;
  }
  showWithUndo({
    id: `restored-${noteId}-${revision}`,
    text: `Revision ${version} was restored as revision ${revision}.`,
    undo: async () => {
      const isDeleted = await undoRevision(client, { companyId, noteId, revision });
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      return isDeleted
        ? 'The note is deleted again.'
        : `The note is as before revision ${revision}.`;
    },
    failure: (error) =>
      isChangedSince(error) ? 'The note has changed since, so it was left alone.' : detailOf(error),
  });
};
