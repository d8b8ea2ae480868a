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
    // Refused for good: the session is over, or the company is none of ours any more. The queries say which.
    watching.catch(() => client.invalidateQueries({ queryKey: keys.notes(companyId) }));
    return () => stopping.abort();
  }, [client, companyId]);
};
