import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { noteQuery, revisionQuery, revisionsQuery } from '../../api/note-queries.ts';
import { isNotFound } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { useCan } from '../../app/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { LineDiff } from './line-diff.tsx';

type Summary = Schema<'NoteRevisionSummary'>;

/** The revisions of a note with their authors and changes; each can be restored. */
export const HistoryPage = () => {
  const companyId = useCompanyId();
  const { noteId = '' } = useParams({ strict: false });
  const query = useInfiniteQuery(revisionsQuery(companyId, noteId));
  // A deleted note has a history but no title.
  const { data: note } = useQuery(noteQuery(companyId, noteId));
  return (
    <>
      <PageHeader
        title="History"
        description={note && (note.title === '' ? 'Untitled' : note.title)}
        actions={
          <ButtonLink
            to="/companies/$companyId/notes/$noteId"
            params={{ companyId, noteId }}
            variant="default"
          >
            Back to note
          </ButtonLink>
        }
      />
      <ListBody query={query} empty={<EmptyState icon={IconHistory} title="No revisions" />}>
        {(revisions) => (
          <Stack>
            {revisions.map((summary, index) => (
              <Revision
                key={summary.revision}
                noteId={noteId}
                summary={summary}
                isNewest={index === 0}
              />
            ))}
          </Stack>
        )}
      </ListBody>
    </>
  );
};

type RevisionProps = {
  readonly noteId: string;
  readonly summary: Summary;
  readonly isNewest: boolean;
};

const Revision = ({ noteId, summary, isNewest }: RevisionProps) => {
  const [isOpen, setOpen] = useState(false);
  const can = useCan();
  const { revision, deleted, createdAt, createdBy } = summary;
  return (
    <Paper className="panel" withBorder p="md">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            Revision {revision}
            {deleted && ' (deleted)'}
          </Title>
          <Text size="sm" c="dimmed">
            by <ActorName actor={createdBy} />
            {createdBy.via === 'mcp' && ' over MCP'}
            {createdBy.via === 'undo' && ', by an undo'} <RelativeTime at={createdAt} />
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide changes' : 'Show changes'} of revision ${revision}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide changes' : 'Show changes'}
          </Button>
          {can.write && !isNewest && !deleted && (
            <RestoreButton noteId={noteId} revision={revision} />
          )}
        </Group>
      </Group>
      {isOpen && <Changes noteId={noteId} revision={revision} />}
    </Paper>
  );
};

type VersionProps = { readonly noteId: string; readonly revision: number };

const Changes = ({ noteId, revision }: VersionProps) => {
  const companyId = useCompanyId();
  const after = useQuery(revisionQuery(companyId, noteId, revision));
  const before = useQuery({
    ...revisionQuery(companyId, noteId, revision - 1),
    enabled: revision > 1,
  });
  // Retention may have removed the previous revision: then everything counts as added.
  const failure = after.error ?? (isNotFound(before.error) ? null : before.error);
  if (failure) {
    return <ErrorAlert error={failure} />;
  }
  if (!after.data || (revision > 1 && before.isPending)) {
    return <SectionSkeleton />;
  }
  return (
    <div style={{ marginTop: 12 }}>
      <LineDiff
        before={before.data?.content ?? ''}
        after={after.data.content}
        label={`Changes of revision ${revision}`}
      />
    </div>
  );
};

const RestoreButton = ({ noteId, revision }: VersionProps) => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      apiOf(companyId).post('/api/notes/{id}/restore', {
        params: { path: { id: noteId } },
        body: { revision },
      }),
    onSuccess: () => {
      notifications.show({ message: `Revision ${revision} was restored as a new revision.` });
      return client.invalidateQueries({ queryKey: keys.notes(companyId) });
    },
  });
  return (
    <>
      {restore.isError && <ErrorAlert error={restore.error} />}
      <Button
        size="xs"
        aria-label={`Restore revision ${revision}`}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        Restore
      </Button>
    </>
  );
};
