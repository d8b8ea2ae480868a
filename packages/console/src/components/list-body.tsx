import { Skeleton, Stack } from '@mantine/core';
import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import { itemsOf, type Page } from '../api/pages.ts';
import { ErrorAlert } from './error-alert.tsx';
import { MoreButton } from './more-button.tsx';

type ListBodyProps<Item> = {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Stands there when the list has nothing. */
  readonly empty: React.ReactNode;
  readonly children: (items: readonly Item[]) => React.ReactNode;
};

/** The four states of a paged list: being read, failed, empty, and there. */
export const ListBody = <Item,>({ query, empty, children }: ListBodyProps<Item>) => {
  if (query.isPending) {
    return <ListSkeleton />;
  }
  const items = itemsOf(query.data);
  return (
    <>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {items.length > 0 ? children(items) : !query.isError && empty}
      <MoreButton query={query} />
    </>
  );
};

/** Holds the place of a list that is being read. */
export const ListSkeleton = () => (
  <Stack gap="sm" role="status" aria-label="Loading">
    <Skeleton height={44} />
    <Skeleton height={44} />
    <Skeleton height={44} />
    <Skeleton height={44} />
  </Stack>
);
