import type { Bench } from '../measurement.ts';

const sizes = {
  whole: { notes: [1_000, 10_000, 100_000, 1_000_000], companies: [1, 100, 10_000] },
  quick: { notes: [1_000, 10_000, 100_000], companies: [1, 100, 1_000] },
} as const;

/** How many notes one company has, and how many companies there are, at each step of growth. */
export const sizesOf = ({ effort }: Pick<Bench, 'effort'>) =>
  effort.rounds < 5 ? sizes.quick : sizes.whole;
