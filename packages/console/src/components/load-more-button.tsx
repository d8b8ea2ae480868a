import { Button, Stack } from '@mantine/core';
import { useDeferredValue, useEffect, useRef } from 'react';
import { ErrorAlert } from './error-alert.tsx';

type LoadMoreButtonProps = {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    /** In milliseconds since 1970. */
    readonly dataUpdatedAt: number;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** Also loads when one scrolls near the button. */
  readonly isAutomatic?: boolean;
};

/** Loads the next page of an infinite query; renders nothing on the last page. */
export const LoadMoreButton = ({ query, isAutomatic = false }: LoadMoreButtonProps) => {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, dataUpdatedAt, fetchNextPage } =
    query;
  const place = useRef<HTMLDivElement>(null);
  // While the rows of a page are rendered, the button is near the window, and every page would be loaded.
  const isRendered = useDeferredValue(dataUpdatedAt, 0) === dataUpdatedAt;
  // After a failure it waits for a press.
  const isWatching =
    isAutomatic && isRendered && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWatching || !place.current) {
      return;
    }
    const observer = new IntersectionObserver(
      // One call may bring several positions, oldest first.
      (entries) => entries.at(-1)?.isIntersecting && void fetchNextPage(),
      { rootMargin: '2000px 0px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
    // A page may arrive before the beginning of its load was rendered, so that only the data has changed.
  }, [isWatching, fetchNextPage, dataUpdatedAt]);
  return hasNextPage ? (
    <Stack ref={place} align="center" mt="md">
      {isFetchNextPageError && <ErrorAlert error={query.error} />}
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </Stack>
  ) : null;
};
