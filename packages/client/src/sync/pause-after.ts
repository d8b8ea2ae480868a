import { ProblemError } from '../problem-error.ts';

/** What the pause before the next try depends on. */
export type FailedTry = {
  /** How many in a row have failed, or ended without news: 0 when the last one was good. */
  readonly failures: number;
  /** What the last one failed with, if it did. */
  readonly error: unknown;
  /** Where nothing says that the server is away, no pause is longer. */
  readonly longestMs: number;
  /** Between 0 and 1: spreads many clients. */
  readonly random: number;
};

const shortestMs = 250;
/** A server that is back is found within this time: whoever waits for it sees nothing until then. */
const longestWhileAwayMs = 3_000;
/** No server may ask for a longer wait than this. */
const longestAskedMs = 10 * 60_000;

/** Grows with every failure; between half of a step and all of it, and never sooner than the server asked for. */
export const pauseAfter = ({ failures, error, longestMs, random }: FailedTry): number => {
  const longest = isAway(error) ? longestWhileAwayMs : longestMs;
  const stepMs = Math.min(longest, shortestMs * 2 ** Math.min(failures, 16));
  const askedMs = error instanceof ProblemError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(longestAskedMs, askedMs) + stepMs * (0.5 + random / 2);
};

/** No answer at all (fetch throws a TypeError), one that came too late, or a proxy or gateway that has none. */
const isAway = (error: unknown): boolean =>
  error instanceof ProblemError
    ? [502, 503, 504].includes(error.status)
    : ['TypeError', 'TimeoutError'].includes((error as Partial<Error> | null)?.name ?? '');
