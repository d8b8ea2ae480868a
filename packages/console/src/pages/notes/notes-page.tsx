import { Box, Flex } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { NoteFilter } from '../../api/note-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { FolderList } from './folder-list.tsx';
import { NoteFilters } from './note-filters.tsx';
import { CreateNoteLink } from './create-note-link.tsx';
import { NoteLists } from './note-lists.tsx';
import { useLiveNotes } from './use-live-notes.ts';

/** The notes of the company, updated live; folder, search and filters are in the address. */
export const NotesPage = () => {
  const companyId = useCompanyId();
  const { q, tag, folder, show, sort, order } = useSearch({ strict: false });
  const filter: NoteFilter = { q, tag, folder, show, sort, order };
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
          <CreateNoteLink />
        </>
      }
    />
  );
};
