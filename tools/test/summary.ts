import type { TestFile } from './jest/report-to-parent.ts';
import type { MissingProgram } from './find-missing-programs.ts';
import { installLine } from './install-programs.ts';

export interface Run {
  readonly haveChecksPassed: boolean;
  readonly hasPassed: boolean;
  readonly files: readonly TestFile[];
  readonly seconds: number;
  readonly missing: readonly MissingProgram[];
  /** Optional files for which no time was left. */
  readonly leftOut: readonly Pick<TestFile, 'file'>[];
}

const slowestMax = 5;
const failedMax = 5;
const namesMax = 3;

/** What is worth reading after a run, in about a dozen lines; details of failures stand above it. */
export function summarize(run: Run): string[] {
  const { files, missing, leftOut } = run;
  const failed = files.filter((file) => file.failed > 0);
  const skipped = files.filter(({ skippedTitles }) => skippedTitles.length > 0);
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds);
  const skippedCount = sum(skipped.map(({ skippedTitles }) => skippedTitles.length));
  return [
    '',
    ...slowest
      .slice(0, slowestMax)
      .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file}`),
    ...failed.slice(0, failedMax).map((each) => `FAILED  ${each.file}: ${each.failed} tests`),
    ...(failed.length > failedMax ? [`FAILED  ${failed.length - failedMax} more files`] : []),
    ...(skipped.length > 0 ? [`skipped ${skippedCount} tests: ${reasonsOf(skipped)}`] : []),
    ...linesOfMissing(missing),
    ...(leftOut.length > 0
      ? [
          `not run, no time was left: ${leftOut.length} files (${firstOf(leftOut.map(({ file }) => file))})`,
        ]
      : []),
    `checks ${run.haveChecksPassed ? 'passed' : 'FAILED'}, tests ${run.hasPassed ? 'passed' : 'FAILED'}` +
      `: ${files.length} files in ${run.seconds.toFixed(0)} s`,
    `${sum(files.map(({ passed }) => passed))} passed, ${sum(files.map((each) => each.failed))} failed`,
  ];
}

/** Titles say in parentheses why they are skipped; each reason is named once, with the number of its files. */
function reasonsOf(files: readonly TestFile[]): string {
  const counts = new Map<string, number>();
  for (const { file, skippedTitles } of files) {
    const [first = ''] = skippedTitles;
    const reason = /\(((?:skipped: |not )[^)]*)\)/.exec(first)?.[1] ?? file;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${reason} (${count} files)`).join(', ');
}

function linesOfMissing(missing: readonly MissingProgram[]): string[] {
  if (missing.length === 0) {
    return [];
  }
  const programs = missing.map(({ program, files }) => `${program.name} (${files.length} files)`);
  return [
    `not run, not installed: ${programs.join(', ')}`,
    `To run them (Debian): ${installLine(missing.map(({ program }) => program.debianPackage))}`,
  ];
}

const firstOf = (names: readonly string[]): string =>
  names.slice(0, namesMax).join(', ') + (names.length > namesMax ? ', …' : '');

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
