import { median } from '../median.ts';
import { holders, totalOf, type Holdings } from './memory-by-process.ts';
import { slopeOf } from './slope-of.ts';

/** What became of the memory of one process, or of all. */
export type Course = {
  readonly name: string;
  readonly first: number;
  readonly middle: number;
  readonly last: number;
  /** Megabytes it would grow in an hour, going on as in the last half. */
  readonly perHour: number;
  readonly isFlat: boolean;
};

/** What grows less than that in half of the time is noise: V8 takes and gives memory in such steps. */
const noise = { share: 0.05, megabytes: 8 } as const;

/**
 * Judges the memory of every process by its last half, when whatever fills up once has filled up: flat is
 * what rose by no more than a twentieth in it.
 */
export const coursesOf = (minutes: readonly Holdings[]): readonly Course[] => [
  ...holders.map((holder) =>
    courseOf(
      holder,
      minutes.map((holdings) => holdings[holder]),
    ),
  ),
  courseOf('all', minutes.map(totalOf)),
];

const courseOf = (name: string, figures: readonly number[]): Course => {
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

/** The courses as Markdown. */
export const courseTable = (courses: readonly Course[]): string =>
  [
    '| Process | Minute 1 | Half time | End | Trend of the last half | Flat |',
    '| --- | --- | --- | --- | --- | --- |',
    ...courses.map(
      ({ name, first, middle, last, perHour, isFlat }) =>
        `| ${name} | ${first} MB | ${middle} MB | ${last} MB | ${perHour} MB/h | ${isFlat ? 'yes' : 'NO'} |`,
    ),
  ].join('\n');
