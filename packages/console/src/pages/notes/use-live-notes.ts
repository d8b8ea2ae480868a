import { watchHeads } from '@commonplace/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';

/** Looks at the notes again whenever the change feed of the company says that something is new. */
export const useLiveNotes = (companyId: string): void => {
  const client = useQueryClient();
  useEffect(() => {
    const stopping = new AbortController();
    const watching = watchHeads({
      api: apiOf(companyId),
      signal: stopping.signal,
      onHead: () => void client.invalidateQueries({ queryKey: keys.notes(companyId) }),
    });
    // A refusal for good shows in the queries themselves.
    watching.catch(() => undefined);
    return () => stopping.abort();
  }, [client, companyId]);
};
