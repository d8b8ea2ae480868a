import { isCitusRun } from '@commonplace/testkit';

/** One machine has all nodes of the cluster, and would respond with 503 to more. */
const atOnceOnCitus = 2;

/** Observes so many at once, on a Citus cluster a few at a time. */
export const observeAll = async <Item>(
  items: readonly Item[],
  observe: (item: Item) => Promise<void>,
  atOnce = items.length,
): Promise<void> => {
  const size = isCitusRun() ? atOnceOnCitus : atOnce;
  for (let first = 0; first < items.length; first += size) {
    await Promise.all(items.slice(first, first + size).map(observe));
  }
};
