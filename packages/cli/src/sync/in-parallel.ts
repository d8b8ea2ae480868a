/** So many files are written at once: each waits for the disk most of the time. */
const writers = 8;

/** Does something with each item, with several at once, and begins in their order. */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  const takeAll = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: writers }, takeAll));
};
