import { nice, ticks } from 'd3-array';

/** About so many lines across a chart. */
const tickCount = 4;

/** The scale of values from 0: its top, which is a round number, and the whole numbers that have a line. */
export const valueScale = (
  values: readonly number[],
): { readonly top: number; readonly ticks: readonly number[] } => {
  if (values.every((value) => value <= 0)) {
    return { top: 1, ticks: [0] };
  }
  const [, top] = nice(0, Math.max(1, ...values), tickCount);
  return { top, ticks: ticks(0, top, tickCount).filter(Number.isInteger) };
};
