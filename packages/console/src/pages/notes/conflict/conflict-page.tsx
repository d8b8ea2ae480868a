import { Box, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { noteQuery } from '../../../api/note-queries.ts';
import { isDeleted, isNotFound, isNotGranted } from '../../../api/problems.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { ConflictChoices } from './conflict-choices.tsx';
import { ConflictsOfNote } from './conflicts-of-note.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { changedFields, textOf } from '../note-text.ts';
import { useLiveNotes } from '../use-live-notes.ts';
import { NotGranted } from '../not-granted.tsx';
import { ResolvedConflict } from './resolved-conflict.tsx';
import { capitalised, versionNames } from './version-names.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId/conflict');

type Note = Schema<'NoteData'>;

/** Two versions of a note that could not be merged, and the choice between them. The address is that of the conflict copy. */
export const ConflictPage = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  useLiveNotes(companyId);
  const { data: note, error, refetch } = useQuery(noteQuery(companyId, noteId));
  // Also of a copy that the page has from before, as on the way back to it.
  if (isDeleted(error)) {
    return <ResolvedConflict copyId={noteId} />;
  }
  if (isNotGranted(error)) {
    return <NotGranted companyId={companyId} />;
  }
  if (note === undefined) {
    return (
      <Unloaded
        header={<PageHeader title="Conflict" />}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return note.conflictOf === null ? (
    <ConflictsOfNote note={note} />
  ) : (
    <Conflict copy={note} originalId={note.conflictOf} />
  );
};

type UnloadedProps = {
  readonly header: React.ReactNode;
  /** Null while the note is loading. */
  readonly error: Error | null;
  readonly onRetry: () => void;
};

const Unloaded = ({ header, error, onRetry }: UnloadedProps) => (
  <>
    {header}
    {error === null ? (
      <SectionSkeleton height={200} />
    ) : (
      <ErrorAlert error={error} onRetry={onRetry} />
    )}
  </>
);

type ConflictProps = { readonly copy: Note; readonly originalId: string };

const Conflict = ({ copy, originalId }: ConflictProps) => {
  const original = useQuery(noteQuery(copy.companyId, originalId));
  const header = (
    <PageHeader
      title={copy.title === '' ? 'Conflict' : copy.title}
      description="Both versions changed the same lines. Choose what to keep of each change."
    />
  );
  // Choices are offered only if the note was loaded, or the server has reported it as deleted.
  const note = isGone(original.error) ? null : original.data;
  if (note === undefined) {
    return (
      <Unloaded header={header} error={original.error} onRetry={() => void original.refetch()} />
    );
  }
  return (
    <>
      {header}
      <Versions copy={copy} original={note} />
    </>
  );
};

type VersionsProps = { readonly copy: Note; readonly original: Note | null };

const Versions = ({ copy, original }: VersionsProps) => {
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
      <ConflictChoices copy={copy} original={original} names={names} />
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
