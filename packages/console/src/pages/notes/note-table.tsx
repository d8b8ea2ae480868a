import { Badge, Group, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { TextLink } from '../../components/links.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { FolderPath } from './folder-path.tsx';
import { NoteTags } from './note-tags.tsx';

type Note = Schema<'NoteOrSummary'>;

/** Notes with what they begin with, where they are, and when they changed. */
export const NoteTable = ({ notes }: { readonly notes: readonly Note[] }) => (
  <Table verticalSpacing="sm" highlightOnHover layout="fixed">
    <Table.Tbody>
      {notes.map((note) => (
        <NoteRow key={note.id} note={note} />
      ))}
    </Table.Tbody>
  </Table>
);

const NoteRow = ({ note }: { readonly note: Note }) => {
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
            style={{ overflowWrap: 'anywhere' }}
          >
            {title === '' ? 'Untitled' : title}
          </TextLink>
          {pinned && <Badge variant="light">pinned</Badge>}
          {conflictOf !== null && (
            <Badge variant="light" color="orange">
              conflict
            </Badge>
          )}
          <NoteTags companyId={companyId} tags={tags} />
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {snippet}
        </Text>
        <Group gap={6}>
          <FolderPath companyId={companyId} folder={folder} />
          <Text size="sm" c="dimmed">
            {folder !== '' && '· '}
            <RelativeTime at={updatedAt} />
          </Text>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
};
