import { Card, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconNotebook } from '@tabler/icons-react';
import { notesQuery } from '../../api/note-queries.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** The notes of the company, the last changed first. */
export const NotesPage = () => {
  const query = useInfiniteQuery(notesQuery(useCompanyId()));
  return (
    <>
      <PageHeader title="Notes" />
      <ListBody query={query} empty={<EmptyState icon={IconNotebook} title="No notes yet" />}>
        {(notes) => (
          <Stack gap="sm">
            {notes.map(({ id, title, snippet, updatedAt }) => (
              <Card key={id} className="panel" withBorder padding="sm">
                <Group justify="space-between" wrap="nowrap">
                  <Text fw={600}>{title || 'Untitled'}</Text>
                  <Text size="sm" c="dimmed">
                    <RelativeTime at={updatedAt} />
                  </Text>
                </Group>
                <Text size="sm" c="dimmed" lineClamp={2}>
                  {snippet}
                </Text>
              </Card>
            ))}
          </Stack>
        )}
      </ListBody>
    </>
  );
};
