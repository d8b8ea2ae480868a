const firstMs = 100;
const longestMs = 10_000;

/** How long something must have run before its end counts as the first one again. */
export const ranWellMs = 10_000;

/** How long to wait before start number `failures + 1`: doubles from 0.1 s to 10 s. */
export const backOffMs = (failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
