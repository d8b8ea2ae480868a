import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { showWithUndo } from '../../components/show-with-undo.tsx';
import { applyTask } from '../bulk/apply-task.ts';
import { doneWord, taskOf, type BulkAction } from '../bulk/bulk-task.ts';

/** Changes a note like a bulk action, with Undo in the message. A note that has changed meanwhile is left alone. */
export const changeNote = async (
  client: QueryClient,
  note: Schema<'NoteData'>,
  action: BulkAction,
): Promise<void> => {
  const { companyId } = note;
  const task = taskOf(note, action);
  const failureOf = (error: unknown): string => `${task.title}: ${detailOf(error)}`;
  const reload = () => client.invalidateQueries({ queryKey: keys.notes(companyId) });
  try {
    const back = await applyTask(companyId, task);
    const text = saidOf(action, task.title);
    if (back === null) {
      notifications.show({ message: text });
    } else {
      showWithUndo({
        id: task.mutationId,
        text,
        undo: async () => {
          await applyTask(companyId, back);
          void reload();
          return saidOf(back.action, task.title);
        },
        failure: failureOf,
      });
    }
  } catch (error) {
    notifications.show({ color: 'red', message: failureOf(error) });
  }
  await reload();
};

/** "Pinned: Roses". */
const saidOf = (action: BulkAction, title: string): string => {
  const word = doneWord(action);
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}: ${title}`;
};
