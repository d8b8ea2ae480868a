import { median } from '../median.ts';
import { processNames, totalOf, type ProcessMemory } from './memory-by-process.ts';

/** The memory of one process, or of all, over a soak. */
export type MemoryTrend = {
  readonly name: string;
  readonly first: number;
  readonly middle: number;
  readonly last: number;
  /** Megabytes per hour, extrapolated from the second half. */
  readonly perHour: number;
  readonly isFlat: boolean;
};

/** Smaller growth in half the time is noise: V8 allocates and releases memory in such steps. */
const noise = { share: 0.05, megabytes: 8 } as const;

/**
 * Evaluates the memory of every process by the second half, when caches are full. Memory is flat if it
 * rose by at most a twentieth.
 */
export const memoryTrendsOf = (minutes: readonly ProcessMemory[]): readonly MemoryTrend[] => [
  ...processNames.map((name) =>
    memoryTrendOf(
      name,
      minutes.map((memory) => memory[name]),
    ),
  ),
  memoryTrendOf('all', minutes.map(totalOf)),
];

const memoryTrendOf = (name: string, figures: readonly number[]): MemoryTrend => {
  const half = figures.slice(Math.floor(figures.length / 2));
  const slope = slopeOf(half);
  const rise = slope * half.length;
  return {
    name,
    first: figures[0] ?? 0,
    middle: half[0] ?? 0,
    last: figures.at(-1) ?? 0,
    perHour: Math.round(slope * 60),
    isFlat: rise <= Math.max(noise.megabytes, noise.share * median(half)),
  };
};

/** The trends as Markdown. */
export const trendTable = (trends: readonly MemoryTrend[]): string =>
  [
    '| Process | Minute 1 | Half time | End | Trend of the second half | Flat |',
    '| --- | --- | --- | --- | --- | --- |',
    ...trends.map(
      ({ name, first, middle, last, perHour, isFlat }) =>
        `| ${name} | ${first} MB | ${middle} MB | ${last} MB | ${perHour} MB/h | ${isFlat ? 'yes' : 'NO'} |`,
    ),
  ].join('\n');

/**
 * The slope per step: the median of the slopes between all pairs (Theil-Sen), which is robust against
 * outliers.
 */
const slopeOf = (figures: readonly number[]): number => {
  const slopes = figures.flatMap((from, start) =>
    figures.slice(start + 1).map((to, between) => (to - from) / (between + 1)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
};
