import { Badge, Box, Button, Code, Group, Paper, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { blameQuery, noteLinksQuery, noteQuery } from '../../../api/note-queries.ts';
import { isDeleted, isNotGranted, isUnavailable } from '../../../api/problems.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { CopyableId } from '../../../components/copyable.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { PageSkeleton } from '../../../components/skeletons.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useOpenedByAddress } from '../../../components/use-opened-by-address.ts';
import { ProposalNotice } from '../../proposals/proposal-notice.tsx';
import { NoteAuthorsContext } from '../markdown/block-authors.tsx';
import { ConflictNotice } from '../conflict/conflict-notice.tsx';
import { FolderPath } from '../list/folder-path.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { NoteLinkContext, type NoteLinks as KnownLinks } from '../markdown/note-link.tsx';
import { NoteLinks } from './note-links.tsx';
import { NoteTags } from '../list/note-tags.tsx';
import { createLinkResolver } from '../markdown/resolve-note-link.ts';
import { TaskToggle } from '../markdown/task-toggle.ts';
import { useLiveNotes } from '../use-live-notes.ts';
import { DeletedNote } from './deleted-note.tsx';
import { openMoveNote } from './move-note.tsx';
import { useDeleteNote } from './use-delete-note.tsx';
import { useToggleTask } from './use-toggle-task.ts';
import { usePlaceInNote } from './use-place-in-note.ts';
import { NotGranted } from '../not-granted.tsx';
import { HistoryLink } from './history-link.tsx';
import classes from './note-page.module.css';
import { titleText } from '../../../components/title-text.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId');

type Note = Schema<'NoteData'>;

/** The service lists so many links of one note; there may be more in its text. */
const linksIndexed = 500;

/** A note with its actions. */
export const NotePage = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  const { data: note, error } = useQuery(noteQuery(companyId, noteId));
  useLiveNotes(companyId);
  if (error && !(note && isUnavailable(error))) {
    return isDeleted(error) ? (
      <DeletedNote noteId={noteId} />
    ) : isNotGranted(error) ? (
      <NotGranted companyId={companyId} />
    ) : (
      <>
        <PageHeader
          title="Note"
          actions={
            <ButtonLink to="/companies/$companyId/notes" params={{ companyId }} variant="default">
              All notes
            </ButtonLink>
          }
        />
        <ErrorAlert error={error} />
      </>
    );
  }
  return note ? <NoteView key={note.id} note={note} /> : <PageSkeleton />;
};

const NoteView = ({ note }: { readonly note: Note }) => {
  const links = useInfiniteQuery(noteLinksQuery(note.companyId, note.id));
  const toggle = useToggleTask(note);
  const authors = useAuthors(note);
  const known = useKnownLinks(note, links);
  const text = usePlaceInNote(note.content);
  return (
    <>
      <NoteHeader note={note} />
      <ConflictNotice note={note} />
      <ProposalNotice companyId={note.companyId} noteId={note.id} />
      {authors.failure && <ErrorAlert error={authors.failure} />}
      {authors.isLoading && (
        <Text size="sm" c="dimmed" role="status" mb="xs">
          Looking up who wrote what…
        </Text>
      )}
      <Paper ref={text} className={`panel ${classes['text']}`} withBorder p="lg">
        {note.content === '' ? (
          <Text c="dimmed">This note is empty.</Text>
        ) : (
          <NoteLinkContext value={known}>
            <TaskToggle value={toggle}>
              <NoteAuthorsContext value={authors.known}>
                <Markdown>{note.content}</Markdown>
              </NoteAuthorsContext>
            </TaskToggle>
          </NoteLinkContext>
        )}
      </Paper>
      {Object.keys(note.properties).length > 0 && (
        <Code block mt="md" tabIndex={0} aria-label="Properties">
          {JSON.stringify(note.properties, null, 2)}
        </Code>
      )}
      <NoteLinks note={note} query={links} />
      <Box mt="md">
        <CopyableId label="Note ID" text={note.id} />
      </Box>
    </>
  );
};

/** The links of a note as they are listed. What may be missing there is looked up as it comes into view. */
const useKnownLinks = (
  { folder }: Note,
  { data, hasNextPage }: React.ComponentProps<typeof NoteLinks>['query'],
): KnownLinks =>
  useMemo(() => {
    const listed = data?.pages.flatMap((page) => page.links) ?? [];
    const isWhole = data !== undefined && !hasNextPage && listed.length < linksIndexed;
    const titles = new Map(listed.map(({ target, title }) => [target, title]));
    return {
      resolve: createLinkResolver(
        listed,
        isWhole && data.pages.every(({ isComplete }) => isComplete),
      ),
      ...(data && { soughtFrom: folder }),
      titleOf: (id: string) => titles.get(id),
    };
  }, [data, hasNextPage, folder]);

/** Who wrote which lines, if the address says so. */
const useAuthors = ({ companyId, id: noteId, revision }: Note) => {
  const isWanted = route.useSearch().beside === 'authors';
  const { data, error, isLoading } = useQuery({
    ...blameQuery(companyId, noteId, revision),
    // While a newer version is looked up, those of the one before are about where they were.
    placeholderData: (previous) => previous,
    enabled: isWanted,
  });
  const known = useMemo(
    () => (isWanted && data ? { companyId, noteId, ranges: data } : null),
    [isWanted, data, companyId, noteId],
  );
  return { known, failure: isWanted ? error : null, isLoading };
};

const NoteHeader = ({ note }: { readonly note: Note }) => (
  <>
    <PageHeader
      isOfText
      title={titleText(note.title)}
      description={
        <>
          Revision {note.revision}, by <ActorName actor={note.updatedBy} />{' '}
          <RelativeTime at={note.updatedAt} />
        </>
      }
      actions={<NoteActions note={note} />}
    />
    <Group gap="xs" mb="md">
      {note.folder !== '' && (
        <Box role="group" aria-label="Place" miw={0}>
          <FolderPath companyId={note.companyId} folder={note.folder} />
        </Box>
      )}
      {note.pinned && <Badge variant="light">pinned</Badge>}
      {note.archived && (
        <Badge variant="light" color="gray">
          archived
        </Badge>
      )}
      {note.tags.length > 0 && (
        <Group gap="xs" role="group" aria-label="Tags">
          <NoteTags companyId={note.companyId} tags={note.tags} />
        </Group>
      )}
    </Group>
  </>
);

/** The quick search leads to these. */
const useDialogsByAddress = (note: Note, confirmDelete: () => void): void => {
  const { open } = route.useSearch();
  const mayOpen = useCan().write;
  useOpenedByAddress({ open, wanted: 'move', mayOpen, openDialog: () => openMoveNote(note) });
  useOpenedByAddress({ open, wanted: 'delete', mayOpen, openDialog: confirmDelete });
};

const NoteActions = ({ note }: { readonly note: Note }) => {
  const { id: noteId, companyId } = note;
  const can = useCan();
  const isBeside = route.useSearch().beside === 'authors';
  const { confirmDelete, error, isPending } = useDeleteNote();
  useDialogsByAddress(note, () => confirmDelete(note));
  return (
    <>
      {error && <ErrorAlert error={error} />}
      <ButtonLink
        to="."
        search={isBeside ? {} : { beside: 'authors' }}
        replace
        resetScroll={false}
        variant={isBeside ? 'light' : 'default'}
      >
        {isBeside ? 'Hide authors' : 'Authors'}
      </ButtonLink>
      <HistoryLink companyId={companyId} noteId={noteId} />
      {can.write && (
        <>
          <ButtonLink to="/companies/$companyId/notes/$noteId/edit" params={{ companyId, noteId }}>
            Edit
          </ButtonLink>
          <Button variant="default" onClick={() => openMoveNote(note)}>
            Move…
          </Button>
          <Button
            color="red"
            variant="outline"
            loading={isPending}
            onClick={() => confirmDelete(note)}
          >
            Delete…
          </Button>
        </>
      )}
    </>
  );
};
