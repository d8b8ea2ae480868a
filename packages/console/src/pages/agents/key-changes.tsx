import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keyChangesQuery } from '../../api/agent-queries.ts';
import { NoteChanges } from '../../components/note-changes.tsx';

/** The versions of notes that were written with an API key, newest first; its runs have pages of their own. */
export const KeyChanges = ({ apiKey }: { readonly apiKey: Schema<'ApiKey'> }) => {
  const query = useInfiniteQuery(keyChangesQuery(apiKey));
  return (
    <NoteChanges
      companyId={apiKey.companyId}
      query={query}
      nothing="No notes with this key itself. What its runs wrote stands on the pages of the runs."
    />
  );
};
