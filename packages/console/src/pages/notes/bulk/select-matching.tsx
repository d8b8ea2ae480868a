import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readMatchingNotes, type NoteFilter } from '../../../api/note-queries.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import type { ListedNote } from '../../../app/bulk/bulk-task.ts';
import { countNotes } from '../../../components/count-notes.ts';
import { isStopped, useReading } from '../../../components/use-reading.ts';

type SelectMatchingProps = {
  readonly companyId: string;
  readonly filter: NoteFilter;
  readonly onSelect: (notes: readonly ListedNote[]) => void;
};

/** Selects every note of the list, also those that are not loaded yet. They are read first, so that their number is exact. */
export const SelectMatching = ({ companyId, filter, onSelect }: SelectMatchingProps) => {
  const [found, setFound] = useState(0);
  const reading = useReading();
  const select = useMutation({
    mutationFn: () => {
      setFound(0);
      return readMatchingNotes(companyId, filter, { onFound: setFound, signal: reading.begin() });
    },
    onSuccess: ({ notes, isComplete, isIndexed }) => {
      if (!isComplete) {
        notifications.show({
          message: `More notes match: ${countNotes(notes.length)} are selected, which is the most at once.`,
        });
      }
      if (!isIndexed) {
        notifications.show({
          message: `${countNotes(notes.length)} are selected. Notes are still being indexed, so some that match may be missing.`,
        });
      }
      onSelect(notes);
    },
  });
  if (select.isPending) {
    return (
      <>
        <Text size="sm">{`${countNotes(found)} found so far…`}</Text>
        <Button size="xs" variant="default" onClick={reading.stop}>
          Stop
        </Button>
      </>
    );
  }
  return (
    <>
      {select.isError && !isStopped(select.error) && <ErrorAlert error={select.error} />}
      <Button size="xs" variant="default" data-selects onClick={() => select.mutate()}>
        Select all that match
      </Button>
    </>
  );
};
