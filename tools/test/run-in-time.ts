import { isDrill } from './drills.ts';
import { runJest, type Outcome } from './run-jest.ts';

/** What ran, and the drills for which no time was left. */
export type RunInTime = Outcome & { readonly leftOut: readonly string[] };

/** Drills that are started together: two at a time, and none for long after the limit. */
const batchMax = 4;

/** Runs these files, drills last; after `minutesMax` since the start of this process no further drill begins. */
export async function runInTime(
  files: readonly string[],
  minutesMax = Number.POSITIVE_INFINITY,
): Promise<RunInTime> {
  const drills = files.filter(isDrill);
  const others = files.filter((file) => !isDrill(file));
  const outcomes = others.length > 0 ? [await runPaths(others)] : [];
  let next = 0;
  while (next < drills.length && performance.now() < minutesMax * 60_000) {
    const count = minutesMax === Number.POSITIVE_INFINITY ? drills.length : batchMax;
    outcomes.push(await runPaths(drills.slice(next, next + count)));
    next += count;
  }
  return {
    files: outcomes.flatMap((outcome) => outcome.files),
    totals: {
      passed: sum(outcomes.map(({ totals }) => totals.passed)),
      failed: sum(outcomes.map(({ totals }) => totals.failed)),
      skipped: sum(outcomes.map(({ totals }) => totals.skipped)),
    },
    leftOut: drills.slice(next),
  };
}

function runPaths(files: readonly string[]): Promise<Outcome> {
  return runJest(['--runTestsByPath', ...files]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
