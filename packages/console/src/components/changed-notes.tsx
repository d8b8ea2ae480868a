import type { Schema } from '@commonplace/client';
import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '../api/pages.ts';
import { runChangesQuery } from '../api/run-queries.ts';
import { ErrorAlert } from './error-alert.tsx';
import { TextLink } from './links.tsx';

type ChangedNotesProps = {
  readonly run: Schema<'Run'>;
  /** The way to take that back. */
  readonly children: React.ReactNode;
};

/** A list of changes costs the server more than the run itself. */
const refreshMs = 15_000;

/** How many notes a run changed, and the ways to look at that and to take it back. */
export const ChangedNotes = ({ run, children }: ChangedNotesProps) => {
  const { companyId, id: runId, status } = run;
  const query = useInfiniteQuery({
    ...runChangesQuery(companyId, run),
    refetchInterval: status === 'running' ? refreshMs : false,
  });
  const notes = new Set(itemsOf(query.data).map(({ noteId }) => noteId)).size;
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorAlert error={query.error} onRetry={() => void query.refetch()}>
        The changes of this run could not be read.
      </ErrorAlert>
    ) : null;
  }
  if (notes === 0) {
    return (
      <Text size="sm" c="dimmed">
        {query.hasNextPage
          ? 'None of the latest changes is of this run.'
          : 'No notes changed in this run.'}
      </Text>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm">
        {notes}
        {query.hasNextPage ? ' or more notes' : notes === 1 ? ' note' : ' notes'} changed in this
        run
      </Text>
      <TextLink to="/companies/$companyId/runs/$runId" params={{ companyId, runId }} size="sm">
        Review<VisuallyHidden>{` run ${runId.slice(-8)}`}</VisuallyHidden>
      </TextLink>
      {children}
    </Group>
  );
};
