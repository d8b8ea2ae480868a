/** Few enough to render within a frame. */
const rowsEach = 20;

/** A list in blocks of rows. */
export const blocksOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / rowsEach) }, (_, index) =>
    items.slice(index * rowsEach, (index + 1) * rowsEach),
  );

/** Whether two blocks have the same rows. */
export const isSameBlock = <Item>(one: readonly Item[], other: readonly Item[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
