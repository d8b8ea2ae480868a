import { Badge, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconNotes, IconPlus, IconSearch } from '@tabler/icons-react';
import { notesQuery, type NoteFilter } from '../../api/note-queries.ts';
import { useCan } from '../../app/use-can.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink, TextLink } from '../../components/links.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useLiveNotes } from './use-live-notes.ts';

/** The notes of the company, live; search and filters are in the address. */
export const NotesPage = () => {
  const companyId = useCompanyId();
  const { q, tag, folder, show } = useSearch({ strict: false });
  const filter: NoteFilter = { q, tag, folder, show };
  const query = useInfiniteQuery(notesQuery(companyId, filter));
  const can = useCan();
  useLiveNotes(companyId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const create = can.write && <CreateLink companyId={companyId} />;
  return (
    <>
      <NotesHeader create={create} />
      <NoteFilters filter={filter} />
      <ListBody
        query={query}
        empty={
          isFiltered ? (
            <EmptyState icon={IconSearch} title="No note matches" />
          ) : (
            <EmptyState icon={IconNotes} title="No notes yet" action={create}>
              Agents write here through the API, and so can you.
            </EmptyState>
          )
        }
      >
        {(notes) => (
          <Table verticalSpacing="sm" highlightOnHover layout="fixed">
            <Table.Tbody>
              {notes.map((note) => (
                <NoteRow key={note.id} note={note} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListBody>
    </>
  );
};

const CreateLink = ({ companyId }: { readonly companyId: string }) => (
  <ButtonLink
    to="/companies/$companyId/notes/new"
    params={{ companyId }}
    leftSection={<IconPlus size={16} aria-hidden />}
  >
    New note
  </ButtonLink>
);

const NotesHeader = ({ create }: { readonly create: React.ReactNode }) => {
  const companyId = useCompanyId();
  return (
    <PageHeader
      title="Notes"
      actions={
        <>
          <ButtonLink to="/companies/$companyId/sync-jobs" params={{ companyId }} variant="default">
            Sync jobs
          </ButtonLink>
          {create}
        </>
      }
    />
  );
};

const NoteRow = ({ note }: { readonly note: Schema<'NoteOrSummary'> }) => {
  const { id, companyId, title, folder, tags, snippet, updatedAt, pinned, conflictOf } = note;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <TextLink
            to={
              conflictOf === null
                ? '/companies/$companyId/notes/$noteId'
                : '/companies/$companyId/notes/$noteId/conflict'
            }
            params={{ companyId, noteId: id }}
            fw={600}
          >
            {title === '' ? 'Untitled' : title}
          </TextLink>
          {pinned && <Badge variant="light">pinned</Badge>}
          {conflictOf !== null && (
            <Badge variant="light" color="orange">
              conflict
            </Badge>
          )}
          {tags.map((tag) => (
            <Badge key={tag} variant="default" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {snippet}
        </Text>
        <Text size="sm" c="dimmed">
          {folder !== '' && `${folder} · `}
          <RelativeTime at={updatedAt} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
};

const views = [
  { value: 'conflicts', label: 'Conflicts' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleted', label: 'Deleted' },
] as const;

const NoteFilters = ({ filter }: { readonly filter: NoteFilter }) => {
  const navigate = useNavigate();
  const change = useDebouncedCallback((next: NoteFilter): void => {
    const search = Object.fromEntries(
      Object.entries({ ...filter, ...next }).filter(([, value]) => value !== ''),
    );
    void navigate({ to: '.', search, replace: true });
  }, 250);
  return (
    <Group mb="md" align="end">
      <TextInput
        label="Search"
        placeholder="Words in title or text"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={filter.q ?? ''}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      <TextInput
        label="Folder"
        defaultValue={filter.folder ?? ''}
        onChange={(event) => change({ folder: event.currentTarget.value })}
      />
      <TextInput
        label="Tag"
        defaultValue={filter.tag ?? ''}
        onChange={(event) => change({ tag: event.currentTarget.value })}
      />
      <Select
        label="Show"
        data={[...views]}
        value={filter.show ?? null}
        placeholder="Living notes"
        clearable
        onChange={(value) => change({ show: views.find((view) => view.value === value)?.value })}
      />
    </Group>
  );
};
