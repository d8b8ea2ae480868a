type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

type PageRequest = { readonly limit: number; readonly cursor?: string };

/** Reads up to `limit` items, in as many requests of at most `pageItemsMax` as that takes, and says whether there are more. */
export const collectPages = async <Item>(
  readPage: (page: PageRequest) => Promise<Page<Item>>,
  { limit, pageItemsMax }: { readonly limit: number; readonly pageItemsMax: number },
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage({
      limit: Math.min(pageItemsMax, limit - items.length),
      ...(cursor && { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < limit);
  return { items, hasMore: cursor !== null };
};
