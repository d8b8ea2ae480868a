import { watchHeads } from '@commonplace/client';
import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';

/** Looks at the notes again whenever the change feed of the company says that something is new. */
export const useLiveNotes = (companyId: string): void => {
  const client = useQueryClient();
  useEffect(() => {
    const stopping = new AbortController();
    const queryKey = keys.notes(companyId);
    const watching = watchHeads({
      api: apiOf(companyId),
      signal: stopping.signal,
      onHead: () => void lookAgain(client, queryKey),
    });
    // Refused for good: the session is over, or the company is none of ours any more. The queries say which.
    watching.catch(() => client.invalidateQueries({ queryKey }));
    return () => stopping.abort();
  }, [client, companyId]);
};

/**
 * Queries are not asked again while their first answer is under way; they join it. It may have been given
 * before the change, so they are asked once more when it is there.
 */
const lookAgain = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isFirstUnderWay = client.isFetching({ queryKey, predicate: hasNoAnswer }) > 0;
  await client.invalidateQueries({ queryKey });
  if (isFirstUnderWay) {
    await client.invalidateQueries({ queryKey });
  }
};

const hasNoAnswer = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  state.data === undefined;
