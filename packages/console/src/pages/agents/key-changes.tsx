import { Group, Stack } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keyChangesQuery } from '../../api/agent-queries.ts';
import { StopAndUndo } from '../undo/stop-and-undo.tsx';
import { NoteChanges } from '../../components/note-changes.tsx';

/** The versions of notes that were written with an API key, newest first; its runs have pages of their own. */
export const KeyChanges = ({ apiKey }: { readonly apiKey: Schema<'ApiKey'> }) => {
  const query = useInfiniteQuery(keyChangesQuery(apiKey));
  return (
    <Stack>
      <Group justify="flex-end">
        <StopAndUndo
          size="xs"
          companyId={apiKey.companyId}
          source={{ keyId: apiKey.id }}
          what={`what was written with ${apiKey.name}`}
        />
      </Group>
      <NoteChanges
        companyId={apiKey.companyId}
        query={query}
        nothing="No notes with this key itself. What its runs wrote stands on the pages of the runs."
      />
    </Stack>
  );
};
