import { describeError } from '../describe-error.ts';
import { describeTally, isWorthTelling } from './describe-tally.ts';
import type { Tally } from './folder.ts';

/** Tells what is new since the look before: a watch goes on for days. */
export type LookTeller = {
  readonly told: (tally: Tally) => void;
  readonly troubled: (error: unknown) => void;
};

/** Tells of looks after the first one, line by line. */
export const tellLooks = (say: (line: string) => void, first: Tally): LookTeller => {
  let known = new Set(first.problems.map(nameOf));
  let troubledAtMs: number | null = null;
  return {
    told: (tally) => {
      const problems = tally.problems.filter((each) => !known.has(nameOf(each)));
      known = new Set(tally.problems.map(nameOf));
      if (isWorthTelling(tally) || problems.length > 0) {
        describeTally({ ...tally, problems }).forEach(say);
      }
      if (troubledAtMs !== null) {
        const seconds = Math.round((performance.now() - troubledAtMs) / 1_000);
        troubledAtMs = null;
        say(`in step again, after ${seconds} s`);
      }
    },
    troubled: (error) => {
      troubledAtMs ??= performance.now();
      say(`not in step: ${describeError(error)}; trying on`);
    },
  };
};

const nameOf = ({ path, problem }: Tally['problems'][number]): string => `${path}: ${problem}`;
