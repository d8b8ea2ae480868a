import { isLate } from './late-files.ts';
import { runJest, type Outcome } from './run-jest.ts';

/** What ran, and the late files for which no time was left. */
export type RunInTime = Outcome & { readonly leftOut: readonly string[] };

/** Late files that are started together, so that none begins long after the limit. */
const batchMax = 4;

/** Runs these files, the late ones last and, after `minutesMax` since the start of this process, no more of them. */
export async function runInTime(
  files: readonly string[],
  minutesMax = Number.POSITIVE_INFINITY,
): Promise<RunInTime> {
  const late = files.filter(isLate);
  const others = files.filter((file) => !isLate(file));
  const outcomes = others.length > 0 ? [await runPaths(others)] : [];
  let next = 0;
  while (next < late.length && performance.now() < minutesMax * 60_000) {
    const count = minutesMax === Number.POSITIVE_INFINITY ? late.length : batchMax;
    outcomes.push(await runPaths(late.slice(next, next + count)));
    next += count;
  }
  return {
    files: outcomes.flatMap((outcome) => outcome.files),
    totals: {
      passed: sum(outcomes.map(({ totals }) => totals.passed)),
      failed: sum(outcomes.map(({ totals }) => totals.failed)),
      skipped: sum(outcomes.map(({ totals }) => totals.skipped)),
    },
    leftOut: late.slice(next),
  };
}

function runPaths(files: readonly string[]): Promise<Outcome> {
  return runJest(['--runTestsByPath', ...files]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
