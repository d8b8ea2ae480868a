/** One page of a list of the API. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** Cursor pagination, for `infiniteQueryOptions`. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { readonly nextCursor: string | null }) => page.nextCursor ?? undefined,
};

/** The query parameter of a page. */
export const cursorOf = (cursor: string | undefined): { cursor?: string } =>
  cursor === undefined ? {} : { cursor };

/** All items of the pages loaded so far. */
export const itemsOf = <Item>(
  data: { readonly pages: readonly Page<Item>[] } | undefined,
): readonly Item[] => data?.pages.flatMap(({ items }) => items) ?? [];

/** Reads all pages of a list, at most `pagesMax`; for short lists such as the companies of the switcher. */
export const readAll = async <Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  pagesMax = 50,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { items: more, nextCursor } = await read(cursor);
    items.push(...more);
    if (nextCursor === null) {
      break;
    }
    cursor = nextCursor;
  }
  return items;
};

/** A list with more pages is not reloaded as a whole. */
const pagesMax = 4;

/** Whether somebody has scrolled far into a list; for the options and filters of TanStack Query. */
export const isLongList = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
  ((state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) >
  pagesMax;

/** The opposite, also for filters. */
export const isShortList = (query: Parameters<typeof isLongList>[0]): boolean => !isLongList(query);

/** Options of a list that may become long: it is not reloaded page by page because the window got the focus. */
export const reloadedWhileShort = {
  refetchOnMount: isShortList,
  refetchOnWindowFocus: isShortList,
  refetchOnReconnect: isShortList,
};
