import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../../api/api.ts';
import { keys } from '../../../api/query-keys.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { markShown } from '../../../components/shown-errors.ts';
import { textOf } from '../note-text.ts';
import { toggleTask } from '../markdown/task-toggle.ts';

type Note = Schema<'NoteData'>;

/** Checks and unchecks tasks of a note where they are read; null for those who may not write. */
export const useToggleTask = (note: Note): ((line: number) => void) | null => {
  const can = useCan();
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: async ({ id, companyId, revision, properties, ...rest }: Note) =>
      apiOf(companyId).put('/api/notes/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${revision}"` } },
        body: { ...textOf(rest), properties },
      }),
    onError: (error) => {
      markShown(error);
      notifications.show({
        color: 'orange',
        message: 'The task was not changed. Someone may have changed the note; try again.',
      });
    },
    onSettled: (_, __, { companyId }) =>
      client.invalidateQueries({ queryKey: keys.notes(companyId) }),
  });
  if (!can.write) {
    return null;
  }
  return (line) => {
    const content = toggleTask(note.content, line);
    // One at a time: the next one is based on the revision that this one makes.
    if (content !== null && !toggle.isPending) {
      toggle.mutate({ ...note, content });
    }
  };
};
