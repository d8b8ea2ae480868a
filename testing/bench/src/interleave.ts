import { median } from './median.ts';

/** One way of doing a thing, measured over and over; a round may say several figures of it. */
type Way<Figures> = () => Promise<Figures>;

/**
 * Measures ways in turn, round after round, so that whatever else the machine does meets all of them
 * alike. Gives the figures of every round by name.
 */
export const interleave = async <Name extends string, Figures>(
  rounds: number,
  ways: Readonly<Record<Name, Way<Figures>>>,
): Promise<Record<Name, Figures[]>> => {
  const names = Object.keys(ways) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figures[]])) as Record<
    Name,
    Figures[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      figures[name].push(await ways[name]());
    }
  }
  return figures;
};

/** Medians of ours and of the limit, and the median of the ratios of the rounds. */
export const compare = (
  ours: readonly number[],
  limit: readonly number[],
): { readonly value: number; readonly limit: number; readonly ratio: number } => ({
  value: median(ours),
  limit: median(limit),
  ratio: median(ours.map((value, round) => value / (limit[round] ?? Number.NaN))),
});
