import { Text } from '@mantine/core';
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import {
  isDeleted,
  isForeignCompany,
  isUnavailable,
  unavailableRetryMs,
} from '../../api/problems.ts';

/**
 * One line over the bottom of the window while something on the page could not be loaded again. It goes when all of it was;
 * nothing on the page moves.
 */
export const OutOfDate = () => {
  const client = useQueryClient();
  const text = useOutOfDate(client);
  const isShown = text !== null;
  // Some data have a longer interval of their own.
  useEffect(() => {
    if (!isShown) {
      return undefined;
    }
    const load = () =>
      client.refetchQueries(
        { type: 'active', predicate: (query) => isOutOfDate(query) && isRetried(query) },
        { cancelRefetch: false },
      );
    const timer = setInterval(() => void load(), unavailableRetryMs);
    return () => clearInterval(timer);
  }, [client, isShown]);
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
      : failed.every(isRetried)
        ? 'This page may be out of date. It is loaded again as soon as the server responds.'
        : 'Some of this page could not be loaded again and may be out of date.';
  });
};

const isRetried = ({ state: { error } }: Query): boolean => isUnavailable(error);

/**
 * Whether its data are older than the last attempt to load them. A further page that failed says so at its button, the
 * page of a note says that it was deleted, and that of a company that the operator is no member of it.
 */
const isOutOfDate = ({ state: { status, data, error, fetchMeta } }: Query): boolean =>
  status === 'error' &&
  data !== undefined &&
  fetchMeta?.fetchMore === undefined &&
  !isDeleted(error) &&
  !isForeignCompany(error);
