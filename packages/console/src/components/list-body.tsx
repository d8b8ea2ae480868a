import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import { itemsOf, type Page } from '../api/pages.ts';
import { FailedLoad } from './failed-load.tsx';
import { FoundCount, type Found } from './found-count.tsx';
import { LoadMoreButton } from './load-more-button.tsx';
import { ListSkeleton } from './skeletons.tsx';

type ListBodyProps<Item> = {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Displayed if the list has no items. */
  readonly empty: React.ReactNode;
  /** Of a list with filters, or of several pages. */
  readonly found?: Found;
  /** Loads more when one scrolls near the end. */
  readonly isAutomatic?: boolean;
  /** Renders the loaded items; `hasMore`: the list goes on. */
  readonly children: (items: readonly Item[], hasMore: boolean) => React.ReactNode;
};

/** The four states of a paged list: loading, failed, empty and loaded. */
export const ListBody = <Item,>({ found, ...props }: ListBodyProps<Item>) => (
  <>
    {found && <FoundCount {...found} query={props.query} isAutomatic={props.isAutomatic} />}
    <Body {...props} />
  </>
);

const Body = <Item,>({
  query,
  empty,
  isAutomatic,
  children,
}: Omit<ListBodyProps<Item>, 'found'>) => {
  if (query.isPending) {
    return <ListSkeleton />;
  }
  const items = itemsOf(query.data);
  return (
    <>
      <FailedLoad query={query} />
      {items.length > 0 ? children(items, query.hasNextPage) : query.data && empty}
      <LoadMoreButton query={query} isAutomatic={isAutomatic ?? false} />
    </>
  );
};
