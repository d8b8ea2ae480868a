import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readMatchingNotes, type NoteFilter } from '../../../api/note-queries.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { countNotes, type ListedNote } from '../../../app/bulk/bulk-task.ts';

type SelectMatchingProps = {
  readonly companyId: string;
  readonly filter: NoteFilter;
  readonly onSelect: (notes: readonly ListedNote[]) => void;
};

/** Selects every note of the list, also those that are not loaded yet. They are read first, so that their number is exact. */
export const SelectMatching = ({ companyId, filter, onSelect }: SelectMatchingProps) => {
  const [found, setFound] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const select = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      setFound(0);
      return readMatchingNotes(companyId, filter, {
        onFound: setFound,
        signal: stop.current.signal,
      });
    },
    onSuccess: ({ notes, isComplete }) => {
      if (!isComplete) {
        notifications.show({
          message: `More notes match: ${countNotes(notes.length)} are selected, which is the most at once.`,
        });
      }
      onSelect(notes);
    },
  });
  if (select.isPending) {
    return (
      <>
        <Text size="sm" role="status">
          {`${countNotes(found)} found so far…`}
        </Text>
        <Button size="xs" variant="default" onClick={() => stop.current.abort()}>
          Stop
        </Button>
      </>
    );
  }
  return (
    <>
      {select.isError && !stop.current.signal.aborted && <ErrorAlert error={select.error} />}
      <Button size="xs" variant="default" onClick={() => select.mutate()}>
        Select all that match
      </Button>
    </>
  );
};
