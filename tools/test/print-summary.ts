import { installLine } from './install-programs.ts';
import type { MissingProgram } from './find-missing-programs.ts';
import type { TestFile, Totals } from './run-jest.ts';

export interface Summary {
  readonly hasPassed: boolean;
  readonly haveChecksPassed: boolean;
  readonly totals: Totals;
  readonly files: readonly TestFile[];
  readonly unsteady: readonly string[];
  readonly missing: readonly MissingProgram[];
  /** Late files for which no time was left. */
  readonly leftOut: readonly string[];
}

const slowestMax = 5;

/** What is worth reading after a run: what failed, what was left out and why, what took longest. */
export function printSummary(summary: Summary): void {
  const { files, totals, unsteady, missing } = summary;
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowestMax);
  const lines = [
    '',
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file}`),
    ...unsteady.map((title) => `UNSTEADY (failed beside others, passed alone): ${title}`),
    ...files
      .filter(({ skippedTitles }) => skippedTitles.length > 0)
      .map(
        ({ file, skippedTitles }) =>
          `skipped ${skippedTitles.length} in ${file}: ${reasonOf(skippedTitles)}`,
      ),
    ...linesOfMissing(missing),
    ...summary.leftOut.map((file) => `not run, no time was left: ${file}`),
    `checks ${summary.haveChecksPassed ? 'passed' : 'FAILED'}, tests ${summary.hasPassed ? 'passed' : 'FAILED'}`,
    ...(totals.skipped > 0 ? [`${totals.skipped} skipped`] : []),
    `${totals.passed} passed, ${totals.failed} failed`,
  ];
  console.log(lines.join('\n'));
}

/** Titles say in parentheses why they are skipped; otherwise the first title stands for all. */
function reasonOf(titles: readonly string[]): string {
  const [first = ''] = titles;
  return /\((?:skipped: |not )[^)]*\)/.exec(first)?.[0] ?? first;
}

function linesOfMissing(missing: readonly MissingProgram[]): string[] {
  if (missing.length === 0) {
    return [];
  }
  return [
    ...missing.map(
      ({ program, files }) =>
        `not run, ${program.name} is not installed: ${files.length} files (${files.slice(0, 3).join(', ')}${files.length > 3 ? ', …' : ''})`,
    ),
    `To run them (Debian): ${installLine(missing.map(({ program }) => program.debianPackage))}`,
  ];
}
