import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notesAtOnceMax, readNotesOfFolder } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { taskOf } from '../../../app/bulk/bulk-task.ts';
import { runBulk } from '../../../app/bulk/run-bulk.ts';
import { useBulkJob } from '../../../app/bulk/use-bulk-job.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { useReading, type ReadingControl } from '../../../components/use-reading.ts';
import { MoveForm } from '../bulk/move-form.tsx';
import { movedFolder } from './moved-folder.ts';

/** Renames a folder or moves it into another one, with everything below it. */
export const MoveFolder = ({ folder }: { readonly folder: string }) => {
  const [isOpen, setIsOpen] = useState(false);
  const isBusy = useBulkJob(useCompanyId())?.kind === 'running';
  const reading = useReading();
  const close = (): void => {
    reading.stop();
    setIsOpen(false);
  };
  return (
    <>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => setIsOpen(true)}>
        Rename folder…
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Rename or move ${folder}`}>
        <MoveFolderForm folder={folder} reading={reading} onDone={close} />
      </Modal>
    </>
  );
};

type MoveFolderFormProps = {
  readonly folder: string;
  readonly reading: ReadingControl;
  readonly onDone: () => void;
};

const MoveFolderForm = ({ folder, reading, onDone }: MoveFolderFormProps) => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const move = useMutation({
    mutationFn: (_to: string) => readNotesOfFolder(companyId, folder, { signal: reading.begin() }),
    onSuccess: ({ notes, isComplete }, to) => {
      // Nothing is moved of a folder that is too large to be moved whole.
      if (!isComplete) {
        return;
      }
      onDone();
      const tasks = notes.map((note) =>
        taskOf(note, { kind: 'move', folder: movedFolder(note.folder, { from: folder, to }) }),
      );
      void runBulk({ client, companyId, tasks });
      void navigate({
        to: '/companies/$companyId/notes',
        params: { companyId },
        search: to === '' ? {} : { folder: to },
      });
    },
  });
  return (
    <Stack>
      <Text size="sm">
        Its notes and the folders in it go with it, archived notes too. Keys and agents that are
        granted {folder} do not reach them at another place.
      </Text>
      {move.isError && <ErrorAlert error={move.error} />}
      {move.data?.isComplete === false && <ErrorAlert error={null}>{tooLarge}</ErrorAlert>}
      <MoveForm
        initial={folder}
        isPending={move.isPending}
        onMove={({ folder: to }) => (to === folder ? onDone() : move.mutate(to))}
      />
    </Stack>
  );
};

const tooLarge = `The folder has more than ${notesAtOnceMax.toLocaleString('en')} notes, which is the most at once. Move the folders in it first.`;
