import { useQueryClient, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { isLongList, isShortList } from '../../api/pages.ts';
import { keys } from '../../api/query-keys.ts';
import { loadAgain } from '../../on-demand/load-again.ts';

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
    const ending = new AbortController();
    const reload = createReload(client, queryKey, ending.signal);
    const subscribe = async (): Promise<void> => {
      // After the first notes: its first event says what has changed since.
      const { subscribeToFeed } = await loadAgain(() => import('../../api/subscribe-to-feed.ts'));
      if (ending.signal.aborted) {
        return;
      }
      const unsubscribe = subscribeToFeed({
        companyId,
        onChange: () => {
          setIsOutdated(
            client.getQueryCache().findAll({ queryKey, type: 'active', predicate: isLongList })
              .length > 0,
          );
          void reload();
        },
        // The session or the membership has ended. The queries report which.
        onRejected: () => void client.invalidateQueries({ queryKey }),
      });
      ending.signal.addEventListener('abort', unsubscribe);
    };
    void subscribe();
    return () => ending.abort();
  }, [client, companyId]);
  const showLatest = useCallback(() => {
    setIsOutdated(false);
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: keys.notes(companyId), predicate: isLongList });
  }, [client, companyId]);
  return { isOutdated, showLatest };
};

/**
 * Returns what reloads the notes, once at a time: changes during a reload lead to one more after it. A reload that each
 * change began again would never end while agents write. What was loading when it began may precede the change, and is loaded once more.
 */
const createReload = (
  client: QueryClient,
  queryKey: QueryKey,
  signal: AbortSignal,
): (() => Promise<void>) => {
  const filters = { queryKey, predicate: isShortList };
  let isDue = false;
  let isRunning = false;
  return async () => {
    isDue = true;
    if (isRunning) {
      return;
    }
    isRunning = true;
    while (isDue && !signal.aborted) {
      isDue = false;
      // Only what is awaited here: waiting for anything else would never end.
      const begun = new Set(
        client.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' }),
      );
      await client.invalidateQueries(filters, { cancelRefetch: false });
      if (begun.size > 0 && !isDue) {
        const predicate = (query: Query) => begun.has(query) && isShortList(query);
        await client.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false });
      }
    }
    isRunning = false;
  };
};
