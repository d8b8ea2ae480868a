import { Badge, Button, Group } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { newestVersionsQuery } from '../../../api/note-queries.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { PageSkeleton } from '../../../components/skeletons.tsx';
import { useRestoreNote } from '../history/use-restore-note.ts';
import { FolderPath } from '../list/folder-path.tsx';
import { NoteTags } from '../list/note-tags.tsx';
import { HistoryLink } from './history-link.tsx';
import { titleText } from '../../../components/title-text.ts';

type Version = Schema<'NoteRevisionSummary'>;

/** What a deleted note was, who deleted it, and the ways back. Its last version knows. */
export const DeletedNote = ({ noteId }: { readonly noteId: string }) => {
  const companyId = useCompanyId();
  const { data: [version] = [], isPending } = useQuery(newestVersionsQuery(companyId, noteId));
  const restore = useRestoreNote();
  if (isPending) {
    return <PageSkeleton />;
  }
  return (
    <>
      <PageHeader
        title={version ? titleText(version.title) : 'Deleted note'}
        description={version ? <Deletion version={version} /> : 'This note was deleted.'}
        actions={
          <DeletedNoteActions
            noteId={noteId}
            folder={version?.folder ?? ''}
            isPending={restore.isPending}
            onRestore={() => restore.mutate({ companyId, id: noteId })}
          />
        }
      />
      {version && (
        <Group gap="xs" mb="md">
          <FolderPath companyId={companyId} folder={version.folder} />
          <Badge variant="light" color="red">
            deleted
          </Badge>
          <NoteTags companyId={companyId} tags={version.tags} />
        </Group>
      )}
      {restore.isError && <ErrorAlert error={restore.error} />}
    </>
  );
};

const Deletion = ({ version: { createdBy, createdAt } }: { readonly version: Version }) => (
  <>
    Deleted by <ActorName actor={createdBy} /> <RelativeTime at={createdAt} />. Its history is still
    available.
  </>
);

type ActionsProps = {
  readonly noteId: string;
  readonly folder: string;
  readonly isPending: boolean;
  readonly onRestore: () => void;
};

const DeletedNoteActions = ({ noteId, folder, isPending, onRestore }: ActionsProps) => {
  const companyId = useCompanyId();
  const can = useCan();
  return (
    <>
      <ButtonLink
        to="/companies/$companyId/notes"
        params={{ companyId }}
        search={folder === '' ? {} : { folder }}
        variant="default"
      >
        Back to notes
      </ButtonLink>
      <HistoryLink companyId={companyId} noteId={noteId} />
      {can.write && (
        <Button loading={isPending} onClick={onRestore}>
          Restore
        </Button>
      )}
    </>
  );
};
