import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';

/** Names a note. */
export type NoteName = Pick<Schema<'NoteData'>, 'companyId' | 'id'>;

/**
 * Changes a note, which is an argument of the mutation, because the page may display another one by then. Says what was done
 * by a text, or by a function that shows a notification of its own.
 */
export const useNoteChange = <Target extends NoteName>(
  said: string | ((target: Target) => void),
  mutationFn: (target: Target) => Promise<unknown>,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (_, target) => {
      if (typeof said === 'string') {
        notifications.show({ message: said });
      } else {
        said(target);
      }
      return client.invalidateQueries({ queryKey: keys.notes(target.companyId) });
    },
  });
};
