import { median } from '../median.ts';

/**
 * By how much figures rise from one to the next: the median of the slopes between any two of them
 * (Theil and Sen), which a few that stick out do not move.
 */
export const slopeOf = (figures: readonly number[]): number => {
  const slopes = figures.flatMap((from, start) =>
    figures.slice(start + 1).map((to, between) => (to - from) / (between + 1)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
};
