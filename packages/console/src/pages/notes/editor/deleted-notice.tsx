import { Alert, Button, Group } from '@mantine/core';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { useRestoreNote } from '../history/use-restore-note.ts';
import type { Note } from './use-draft-start.ts';

/** A note that was deleted while it is edited can be restored without leaving the text. */
export const DeletedNotice = ({ note }: { readonly note: Note }) => {
  const restore = useRestoreNote();
  const { companyId, id } = note;
  return (
    <>
      <Alert mb="md" color="orange" role="alert" title="This note was deleted">
        <Group justify="space-between">
          <span>Your text is still here. Restore the note to save it.</span>
          <Button
            variant="default"
            size="xs"
            loading={restore.isPending}
            onClick={() => restore.mutate({ companyId, id })}
          >
            Restore note
          </Button>
        </Group>
      </Alert>
      {restore.isError && <ErrorAlert error={restore.error} />}
    </>
  );
};
