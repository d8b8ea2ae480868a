import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { isLongList, isShortList } from '../../api/pages.ts';
import { subscribeToFeed } from '../../api/subscribe-to-feed.ts';
import { keys } from '../../api/query-keys.ts';

type LiveNotes = {
  /** A list has changed that is too long to be reloaded. */
  readonly isOutdated: boolean;
  /** Loads such lists again from their beginning. */
  readonly showLatest: () => void;
};

/** Reloads notes whenever the change feed of the company reports a change. */
export const useLiveNotes = (companyId: string): LiveNotes => {
  const client = useQueryClient();
  const [isOutdated, setIsOutdated] = useState(false);
  useEffect(() => {
    const queryKey = keys.notes(companyId);
    return subscribeToFeed({
      companyId,
      onChange: () => {
        setIsOutdated(
          client.getQueryCache().findAll({ queryKey, type: 'active', predicate: isLongList })
            .length > 0,
        );
        void reload(client, queryKey);
      },
      // The session or the membership has ended. The queries report which.
      onRejected: () => void client.invalidateQueries({ queryKey }),
    });
  }, [client, companyId]);
  const showLatest = useCallback(() => {
    setIsOutdated(false);
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: keys.notes(companyId), predicate: isLongList });
  }, [client, companyId]);
  return { isOutdated, showLatest };
};

/**
 * Invalidating a query during its first load does not restart it. That response may precede the change, so
 * the query is invalidated once more afterwards.
 */
const reload = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  const isFirstLoad = client.isFetching({ queryKey, predicate: hasNoData }) > 0;
  const filters = { queryKey, predicate: isShortList };
  await client.invalidateQueries(filters);
  if (isFirstLoad) {
    await client.invalidateQueries(filters);
  }
};

const hasNoData = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  state.data === undefined;
