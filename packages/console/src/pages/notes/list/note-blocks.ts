/** Few enough to render within a frame. */
const rowsOfBlock = 20;

/** Few enough groups for a list of 100,000 rows, and few enough blocks in one. */
const rowsOfGroup = 25 * rowsOfBlock;

/** A list in blocks of rows. */
export const blocksOf = <Item>(items: readonly Item[]) => cut(items, rowsOfBlock);

/** A list in groups of blocks. */
export const groupsOf = <Item>(items: readonly Item[]) => cut(items, rowsOfGroup);

const cut = <Item>(items: readonly Item[], length: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );

/** Whether two blocks or groups have the same rows. */
export const isSameBlock = <Item>(one: readonly Item[], other: readonly Item[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
