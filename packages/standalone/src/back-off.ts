const firstMs = 100;
const longestMs = 10_000;

/** After running this long, the next failure counts as the first one. */
export const stableAfterMs = 10_000;

/** The delay before the next start; doubles from 0.1 s to 10 s. */
export const backOffMs = (failures: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
