import { Text } from '@mantine/core';
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isUnavailable } from '../../api/problems.ts';

/**
 * One line over the bottom of the window while something on the page could not be loaded again. It goes when all of it was;
 * nothing on the page moves.
 */
export const OutOfDate = () => {
  const text = useOutOfDate(useQueryClient());
  return (
    <div className="out-of-date" role="status">
      {text !== null && (
        <Text className="panel" size="sm">
          {text}
        </Text>
      )}
    </div>
  );
};

const useOutOfDate = (client: QueryClient): string | null => {
  const cache = client.getQueryCache();
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(onChange), [cache]);
  return useSyncExternalStore(subscribe, () => {
    const failed = cache.findAll({ type: 'active', predicate: isOutOfDate });
    return failed.length === 0
      ? null
      : failed.every(({ state }) => isUnavailable(state.error))
        ? 'This page may be out of date. It is loaded again as soon as the server responds.'
        : 'Some of this page could not be loaded again and may be out of date.';
  });
};

/** Whether its data are older than the last attempt to load them. A further page that failed says so at its button. */
const isOutOfDate = ({ state: { status, data, fetchMeta } }: Query): boolean =>
  status === 'error' && data !== undefined && fetchMeta?.fetchMore === undefined;
