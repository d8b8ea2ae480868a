import { Button, Group, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { detailOf } from '../../../components/error-alert.tsx';
import { useRestoreNote } from '../history/use-restore-note.ts';

type Note = Schema<'NoteData'>;

/** Long enough to read it and to reach its button by keyboard; the page of the note can restore it later. */
const shownMs = 12_000;

/** Says which note was deleted, with the way back. */
export const sayDeleted = (note: Note): void => {
  const id = `deleted-${note.id}`;
  notifications.show({
    id,
    autoClose: shownMs,
    message: <Deleted note={note} onUndone={() => notifications.hide(id)} />,
  });
};

type DeletedProps = { readonly note: Note; readonly onUndone: () => void };

const Deleted = ({ note, onUndone }: DeletedProps) => {
  const restore = useRestoreNote();
  const undo = (): void => restore.mutate(note, { onSuccess: onUndone });
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text span size="sm" lineClamp={2} className="any-script">
        Deleted: {note.title === '' ? 'Untitled' : note.title}
        {restore.isError && `. It was not restored: ${detailOf(restore.error)}`}
      </Text>
      <Button size="xs" variant="default" loading={restore.isPending} onClick={undo}>
        Undo
      </Button>
    </Group>
  );
};
