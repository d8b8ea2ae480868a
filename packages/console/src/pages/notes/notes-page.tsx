import { Box, Flex, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { IconNotes, IconPlus, IconSearch } from '@tabler/icons-react';
import { noteLists, notesQuery, type NoteFilter } from '../../api/note-queries.ts';
import { itemsOf } from '../../api/pages.ts';
import { useCan } from '../../app/use-can.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ListSkeleton } from '../../components/skeletons.tsx';
import { FolderList } from './folder-list.tsx';
import { NoteFilters } from './note-filters.tsx';
import { NoteTable } from './note-table.tsx';
import { useLiveNotes } from './use-live-notes.ts';

/** The notes of the company, updated live; folder, search and filters are in the address. */
export const NotesPage = () => {
  const companyId = useCompanyId();
  const { q, tag, folder, show, sort } = useSearch({ strict: false });
  const filter: NoteFilter = { q, tag, folder, show, sort };
  useLiveNotes(companyId);
  return (
    <>
      <NotesHeader />
      <Flex direction={{ base: 'column', md: 'row' }} gap="lg">
        <FolderList companyId={companyId} current={folder} />
        <Box flex={1} miw={0}>
          <NoteFilters filter={filter} />
          <NoteLists filter={filter} />
        </Box>
      </Flex>
    </>
  );
};

const NotesHeader = () => {
  const companyId = useCompanyId();
  return (
    <PageHeader
      title="Notes"
      actions={
        <>
          <ButtonLink to="/companies/$companyId/sync-jobs" params={{ companyId }} variant="default">
            Sync jobs
          </ButtonLink>
          <CreateLink />
        </>
      }
    />
  );
};

/** Pinned notes are first, except in searches. */
const NoteLists = ({ filter }: { readonly filter: NoteFilter }) => {
  const companyId = useCompanyId();
  const lists = noteLists(companyId, filter);
  const isPlain = lists.pinned !== null;
  const pinned = useInfiniteQuery({
    ...(lists.pinned ?? notesQuery(companyId, { ...filter, isPinned: true })),
    enabled: isPlain,
  });
  const others = useInfiniteQuery(lists.others);
  const hasPinned = isPlain && itemsOf(pinned.data).length > 0;
  // Otherwise the other notes would render first, and then move.
  if (isPlain && pinned.isPending) {
    return <ListSkeleton />;
  }
  return (
    <Stack gap="lg">
      {hasPinned && (
        <section aria-label="Pinned notes">
          <Title order={2} size="h3" mb={4}>
            Pinned
          </Title>
          <ListBody query={pinned} empty={null}>
            {(notes) => <NoteTable notes={notes} />}
          </ListBody>
        </section>
      )}
      <section aria-label={hasPinned ? 'Other notes' : 'Notes'}>
        {hasPinned && (
          <Title order={2} size="h3" mb={4}>
            Other notes
          </Title>
        )}
        <ListBody query={others} empty={<EmptyList filter={filter} hasPinned={hasPinned} />}>
          {(notes) => <NoteTable notes={notes} />}
        </ListBody>
      </section>
    </Stack>
  );
};

type EmptyListProps = { readonly filter: NoteFilter; readonly hasPinned: boolean };

/** The empty state of a list, depending on its filter. */
const EmptyList = ({ filter, hasPinned }: EmptyListProps) => {
  if (hasPinned) {
    return <Text c="dimmed">All notes here are pinned.</Text>;
  }
  if (filter.show === 'conflicts') {
    return (
      <EmptyState icon={IconNotes} title="No unresolved conflicts">
        When two writers change the same lines at once, both versions are kept and listed here.
      </EmptyState>
    );
  }
  return Object.values(filter).some((value) => value !== undefined) ? (
    <EmptyState icon={IconSearch} title="No matching notes">
      Try fewer words, or another folder or tag.
    </EmptyState>
  ) : (
    <EmptyState icon={IconNotes} title="No notes yet" action={<CreateLink />}>
      Agents create them through the API; you can create them here.
    </EmptyState>
  );
};

const CreateLink = () => {
  const companyId = useCompanyId();
  const can = useCan();
  return can.write ? (
    <ButtonLink
      to="/companies/$companyId/notes/new"
      params={{ companyId }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New note
    </ButtonLink>
  ) : null;
};
