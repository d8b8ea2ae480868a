import { median } from './median.ts';

/** One variant to measure repeatedly; a round may return several figures. */
type Variant<Figures> = () => Promise<Figures>;

/**
 * Measures variants alternately, so that other load on the machine affects all of them. Returns the figures
 * of every round by name.
 */
export const interleave = async <Name extends string, Figures>(
  rounds: number,
  variants: Readonly<Record<Name, Variant<Figures>>>,
): Promise<Record<Name, Figures[]>> => {
  const names = Object.keys(variants) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figures[]])) as Record<
    Name,
    Figures[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      figures[name].push(await variants[name]());
    }
  }
  return figures;
};

/** Medians of the product and of the baseline, and the median of the rounds' ratios. */
export const compare = (
  ours: readonly number[],
  baseline: readonly number[],
): { readonly value: number; readonly baseline: number; readonly ratio: number } => ({
  value: median(ours),
  baseline: median(baseline),
  ratio: median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN))),
});
