import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';

/** Names a note. */
export type NoteName = Pick<Schema<'NoteData'>, 'companyId' | 'id'>;

/** Changes a note, which is an argument of the mutation, because the page may display another one by then. */
export const useNoteChange = <Target extends NoteName>(
  message: string,
  mutationFn: (target: Target) => Promise<unknown>,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (_, { companyId }) => {
      notifications.show({ message });
      return client.invalidateQueries({ queryKey: keys.notes(companyId) });
    },
  });
};
