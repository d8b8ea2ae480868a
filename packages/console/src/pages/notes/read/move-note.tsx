import { Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../api/query-keys.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { modals } from '../../../components/modals.ts';
import { useHeldModal } from '../../../components/use-held-modal.ts';
import { applyTask } from '../../../app/bulk/apply-task.ts';
import { taskOf, type BulkAction } from '../../../app/bulk/bulk-task.ts';
import { MoveForm } from '../bulk/move-form.tsx';

/** Opens the form for another folder of a note. A note that somebody changed meanwhile is left alone. */
export const openMoveNote = (note: Schema<'NoteData'>): void => {
  modals.open({
    title: `Move ${note.title === '' ? 'this note' : note.title}`,
    children: <MoveNote note={note} />,
  });
};

const MoveNote = ({ note }: { readonly note: Schema<'NoteData'> }) => {
  const client = useQueryClient();
  const { companyId, folder } = note;
  const move = useMutation({
    mutationFn: (action: BulkAction) => applyTask(companyId, taskOf(note, action)),
    onSuccess: () => {
      notifications.show({ message: 'Note moved.' });
      return client.invalidateQueries({ queryKey: keys.notes(companyId) });
    },
  });
  const close = useHeldModal(move.isPending);
  return (
    <Stack>
      {move.isError && <ErrorAlert error={move.error} />}
      <MoveForm
        initial={folder}
        isPending={move.isPending}
        onMove={(action) => move.mutate(action, { onSuccess: close })}
      />
    </Stack>
  );
};
