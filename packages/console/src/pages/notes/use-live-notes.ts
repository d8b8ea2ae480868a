import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribeToFeed } from '../../api/subscribe-to-feed.ts';
import { keys } from '../../api/query-keys.ts';

/** Reloads notes whenever the change feed of the company reports a change. */
export const useLiveNotes = (companyId: string): void => {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = keys.notes(companyId);
    return subscribeToFeed({
      companyId,
      onChange: () => void reload(client, queryKey),
      // The session or the membership has ended. The queries report which.
      onRejected: () => void client.invalidateQueries({ queryKey }),
    });
  }, [client, companyId]);
};

/**
 * Invalidating a query during its first load does not restart it. That response may precede the change, so
 * the query is invalidated once more afterwards.
 */
const reload = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isFirstLoad = client.isFetching({ queryKey, predicate: hasNoData }) > 0;
  await client.invalidateQueries({ queryKey });
  if (isFirstLoad) {
    await client.invalidateQueries({ queryKey });
  }
};

const hasNoData = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  state.data === undefined;
