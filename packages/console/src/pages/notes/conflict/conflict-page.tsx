import { Box, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { noteQuery } from '../../../api/note-queries.ts';
import { isDeleted, isNotFound } from '../../../api/problems.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { ChoicesByChange } from './choices-by-change.tsx';
import { ConflictsOfNote } from './conflicts-of-note.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { changedFields, textOf } from '../note-text.ts';
import { useLiveNotes } from '../use-live-notes.ts';
import { newerIn, useResolveConflict } from './use-resolve-conflict.ts';
import { capitalised, versionNames, type VersionNames } from './version-names.ts';
import { ChoicesOfOne, ChoicesOfTwo } from './whole-choices.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId/conflict');

type Note = Schema<'NoteData'>;

/** Two versions of a note that could not be merged, and the choice between them. The address is that of the conflict copy. */
export const ConflictPage = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  useLiveNotes(companyId);
  const { data: note } = useSuspenseQuery(noteQuery(companyId, noteId));
  return note.conflictOf === null ? (
    <ConflictsOfNote note={note} />
  ) : (
    <Conflict copy={note} originalId={note.conflictOf} />
  );
};

type ConflictProps = { readonly copy: Note; readonly originalId: string };

const Conflict = ({ copy, originalId }: ConflictProps) => {
  const original = useQuery(noteQuery(copy.companyId, originalId));
  const header = (
    <PageHeader
      title={copy.title === '' ? 'Conflict' : copy.title}
      description="Both versions changed the same lines. Choose what to keep of each change."
    />
  );
  if (original.isPending) {
    return (
      <>
        {header}
        <SectionSkeleton height={200} />
      </>
    );
  }
  // Choices are offered only if the note was loaded, or the server has reported it as deleted.
  if (original.isError && !original.data && !isGone(original.error)) {
    return (
      <>
        {header}
        <ErrorAlert error={original.error} onRetry={() => void original.refetch()} />
      </>
    );
  }
  const note = original.isError && isGone(original.error) ? null : (original.data ?? null);
  return (
    <>
      {header}
      <Versions copy={copy} original={note} />
    </>
  );
};

const Versions = ({ copy, original }: ChoicesProps) => {
  const names = versionNames(useActorNames(), original, copy);
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <Side title={capitalised(names.current)} note={original} kind="the note as it is" />
        <Side title={capitalised(names.other)} note={copy} kind="not merged" />
      </SimpleGrid>
      {original === null ? (
        <Box mb="lg">
          <LineDiff before="" after={copy.content} label="Differences" />
        </Box>
      ) : (
        <OtherFields current={original} other={copy} />
      )}
      <Choices copy={copy} original={original} names={names} />
    </>
  );
};

/** The text is chosen by change; the rest stays as the note has it, unless the other version is kept whole. */
const OtherFields = ({ current, other }: { readonly current: Note; readonly other: Note }) => {
  const fields = changedFields(textOf(current), textOf(other)).filter((name) => name !== 'content');
  return (
    fields.length > 0 && (
      <Text size="sm" c="dimmed" mb="md">
        The versions also differ in: {fields.join(', ')}.
      </Text>
    )
  );
};

const isGone = (error: unknown): boolean => isDeleted(error) || isNotFound(error);

type SideProps = { readonly title: string; readonly note: Note | null; readonly kind: string };

/** The author of a version. */
const Side = ({ title, note, kind }: SideProps) => (
  <Paper className="panel" withBorder px="md" py="sm">
    <Title order={2} size="h4">
      {title}
    </Title>
    <Text size="sm" c="dimmed">
      {note === null ? (
        'The note was deleted.'
      ) : (
        <>
          by <ActorName actor={note.updatedBy} /> <RelativeTime at={note.updatedAt} />, {kind}
        </>
      )}
    </Text>
  </Paper>
);

type ChoicesProps = { readonly copy: Note; readonly original: Note | null };

const Choices = ({ copy, original, names }: ChoicesProps & { readonly names: VersionNames }) => {
  const can = useCan();
  const choose = useResolveConflict(copy, original);
  // Newer versions must not replace what is being chosen or written.
  const [start] = useState({ copy, original });
  // What does not fit a newer version replaces it the next time, after the operator has seen it.
  const base = newerIn(choose.error, start.original?.id) ?? start.original;
  const failure = choose.isError && (
    <ErrorAlert error={choose.error} hint={base === start.original ? undefined : newerHint} />
  );
  if (start.original && base) {
    return (
      <ChoicesByChange
        current={base.content}
        other={start.copy.content}
        names={names}
        isPending={choose.isPending}
        failure={failure}
        {...(can.write ? { onSave: (content: string) => choose.mutate({ content, base }) } : {})}
      >
        {original === null ? (
          <ChoicesOfOne isPending={choose.isPending} onChoose={choose.mutate} />
        ) : (
          <ChoicesOfTwo names={names} isPending={choose.isPending} onChoose={choose.mutate} />
        )}
      </ChoicesByChange>
    );
  }
  return (
    can.write && (
      <Stack>
        {failure}
        <ChoicesOfOne isPending={choose.isPending} onChoose={choose.mutate} />
      </Stack>
    )
  );
};

const newerHint =
  'Someone else has changed the note. The newest version is above: choose again, or save your text to replace it.';
