import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';

type LoadMoreButtonProps = {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** Also loads when one scrolls near the button. */
  readonly isAutomatic?: boolean;
};

/** Loads the next page of an infinite query; renders nothing on the last page. */
export const LoadMoreButton = ({ query, isAutomatic = false }: LoadMoreButtonProps) => {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const place = useRef<HTMLDivElement>(null);
  // After a failure it waits for a press.
  const isWatching = isAutomatic && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWatching || !place.current) {
      return;
    }
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void fetchNextPage(),
      { rootMargin: '2000px 0px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWatching, fetchNextPage]);
  return hasNextPage ? (
    <Group ref={place} justify="center" mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </Group>
  ) : null;
};
