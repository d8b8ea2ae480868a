import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';

/** Names a note. */
export type NoteName = Pick<Schema<'NoteData'>, 'companyId' | 'id'>;

/**
 * Changes a note, which is an argument of the mutation, because the page may display another one by then. `show` says what
 * was done.
 */
export const useNoteChange = <Target extends NoteName>(
  mutationFn: (target: Target) => Promise<unknown>,
  show: (client: QueryClient, target: Target) => void,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (_, target) => {
      show(client, target);
      return client.invalidateQueries({ queryKey: keys.notes(target.companyId) });
    },
  });
};
