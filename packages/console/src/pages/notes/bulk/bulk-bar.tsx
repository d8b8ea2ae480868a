import { Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { BulkActions } from './bulk-actions.tsx';
import classes from './bulk-bar.module.css';
import { BulkResult } from './bulk-result.tsx';
import { countNotes, tasksOf, type BulkAction, type ListedNote } from './bulk-task.ts';
import { SelectMatching } from './select-matching.tsx';
import { useBulk } from './use-bulk.ts';

type BulkBarProps = {
  readonly companyId: string;
  /** The view of the list decides which actions make sense. */
  readonly filter: NoteFilter;
  readonly notes: readonly ListedNote[];
  /** Notes of the list are not loaded, and so not selected. */
  readonly hasMore: boolean;
  readonly onSelect: (ids: readonly string[]) => void;
  /** Selects notes of the list that may not be loaded. */
  readonly onSelectMatching: (notes: readonly ListedNote[]) => void;
};

/** What can be done with the selected notes, how far it is, and how it ended. */
export const BulkBar = (props: BulkBarProps) => {
  const { companyId, notes, onSelect } = props;
  const bulk = useBulk(companyId);
  const { kind } = bulk.state;
  const panel = useRef<HTMLElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (kind !== 'idle') {
      panel.current?.focus();
    }
  }, [kind]);
  const run = async (tasks: ReturnType<typeof tasksOf>): Promise<void> => {
    const report = await bulk.run(tasks);
    // What failed stays selected, to be looked at and done again.
    onSelect(report ? [...report.failed.map(({ task }) => task), ...report.left].map(idOf) : []);
  };
  if (kind === 'idle' && notes.length === 0) {
    return null;
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Selected notes"
      className={`panel bulk-bar ${classes['bar']}`}
    >
      {bulk.state.kind === 'running' && <Running {...bulk.state} onStop={bulk.stop} />}
      {bulk.state.kind === 'ended' && (
        <BulkResult
          companyId={companyId}
          report={bulk.state.report}
          onUndo={(tasks) => void run(tasks)}
          onDismiss={bulk.dismiss}
        />
      )}
      {kind !== 'running' && notes.length > 0 && (
        <Selected {...props} onAction={(action) => void run(tasksOf(notes, action))} />
      )}
    </section>
  );
};

type SelectedProps = BulkBarProps & { readonly onAction: (action: BulkAction) => void };

const Selected = (props: SelectedProps) => {
  const { companyId, filter, notes, hasMore, onSelect, onSelectMatching, onAction } = props;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} role="status">
        {countNotes(notes.length)} selected
      </Text>
      {hasMore && (
        <SelectMatching companyId={companyId} filter={filter} onSelect={onSelectMatching} />
      )}
      <BulkActions show={filter.show} notes={notes} onAction={onAction} />
      <CloseButton aria-label="Clear selection" onClick={() => onSelect([])} />
    </Group>
  );
};

const idOf = ({ noteId }: { readonly noteId: string }): string => noteId;

type RunningProps = {
  readonly ended: number;
  readonly total: number;
  readonly onStop: () => void;
};

const Running = ({ ended, total, onStop }: RunningProps) => (
  <Group gap="sm">
    <Stack gap={4} flex={1} miw={200}>
      <Text size="sm" role="status">
        {`${ended} of ${countNotes(total)}`}
      </Text>
      <Progress value={(100 * ended) / total} aria-label="Progress" />
    </Stack>
    <Button size="xs" variant="default" onClick={onStop}>
      Stop
    </Button>
  </Group>
);
