import { Button, CloseButton, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { bulkJob } from '../../../app/bulk/bulk-job.ts';
import type { BulkReport } from '../../../app/bulk/bulk-report.ts';
import { BulkSection } from '../../../app/bulk/bulk-section.tsx';
import { tasksOf, type BulkAction, type ListedNote } from '../../../app/bulk/bulk-task.ts';
import { runBulk } from '../../../app/bulk/run-bulk.ts';
import { useBulkJob } from '../../../app/bulk/use-bulk-job.ts';
import { countNotes } from '../../../components/count-notes.ts';
import { Said } from '../../../components/said.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { SelectMatching } from './select-matching.tsx';

type BulkBarProps = {
  readonly companyId: string;
  /** The view of the list decides which actions make sense. */
  readonly filter: NoteFilter;
  readonly notes: readonly ListedNote[];
  /** Notes of the list are not loaded, and so not selected. */
  readonly hasMore: boolean;
  /** The notes of the list so far. */
  readonly loaded: readonly ListedNote[];
  readonly onClear: () => void;
  /** Called with the notes that were changed. */
  readonly onDone: (ids: readonly string[]) => void;
  /** Selects notes of the list that may not be loaded. */
  readonly onSelectAll: (notes: readonly ListedNote[]) => void;
};

/** What can be done with the selected notes, how far it is, and how it ended. */
export const BulkBar = (props: BulkBarProps) => {
  const { companyId, notes, onDone } = props;
  const client = useQueryClient();
  const job = useBulkJob(companyId);
  useLayoutEffect(() => bulkJob.addBar(), []);
  // What failed stays selected, to be looked at and done again.
  const onReport = ({ done }: BulkReport): void => onDone(done.map(({ noteId }) => noteId));
  const run = async (action: BulkAction): Promise<void> => {
    const report = await runBulk({ client, companyId, tasks: tasksOf(notes, action) });
    if (report) {
      onReport(report);
    }
  };
  if (job === null && notes.length === 0) {
    return null;
  }
  return (
    <BulkSection label="Selected notes" companyId={companyId} job={job} onReport={onReport}>
      {job?.kind !== 'running' && notes.length > 0 && (
        <Selected {...props} onAction={(action) => void run(action)} />
      )}
    </BulkSection>
  );
};

type SelectedProps = BulkBarProps & { readonly onAction: (action: BulkAction) => void };

const Selected = (props: SelectedProps) => {
  const { companyId, filter, notes, hasMore, loaded, onClear, onSelectAll, onAction } = props;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Group gap="xs" flex={1}>
        <Said fw={600}>{`${countNotes(notes.length)} selected`}</Said>
        {hasMore ? (
          <SelectMatching companyId={companyId} filter={filter} onSelect={onSelectAll} />
        ) : (
          notes.length < loaded.length && (
            <Button size="xs" variant="default" data-selects onClick={() => onSelectAll(loaded)}>
              Select all {loaded.length}
            </Button>
          )
        )}
        <BulkActions show={filter.show} notes={notes} onAction={onAction} />
      </Group>
      {/* Beside the lines of the others, never alone on one. */}
      <CloseButton aria-label="Clear selection" onClick={onClear} />
    </Group>
  );
};
