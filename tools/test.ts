import { listChangedTests } from './test/changed-tests.ts';
import { findMissingPrograms, type MissingProgram } from './test/find-missing-programs.ts';
import { installHeadlessShell } from './test/install-headless-shell.ts';
import { installPrograms } from './test/install-programs.ts';
import { leftOutTitle } from './test/jest/optional-files.ts';
import { latePlaceOf } from './test/late-files.ts';
import { printProgress } from './test/print-progress.ts';
import { readArguments } from './test/read-arguments.ts';
import { run } from './run-command.ts';
import { listTestFiles, runJest, type OptionalFiles } from './test/run-jest.ts';
import { summarize } from './test/summary.ts';
import { isWaiting } from './test/waiting-files.ts';

/*
 *   pnpm test                    every check and every test
 *   pnpm test --changed [ref]    every check, and for three minutes the tests that a change touches, closest first;
 *                                a change is what the work tree has and `ref` (main) has not
 *   pnpm test <arguments>        every check, and what Jest runs with these arguments
 *
 * The tests also run when a check failed, so that one run reports everything. Nothing is repeated: a test that fails
 * beside others and passes alone has a fault, or shows one.
 *
 * Some tests drive programs that npm does not bring. What is missing is installed where that is possible
 * without a password; otherwise the files that need it are not run and are named at the end. With CI=true that is a failure.
 * A Chromium without a window is installed beside one that has windows, because it takes less time.
 *
 * Files that mostly wait run in a process of their own, beside those that use the processors.
 *
 * The slowest files run last. With TEST_MINUTES_MAX none of them begins after that many minutes; those left out are
 * named at the end.
 */

/** What is left of the three minutes is for tests that have begun. */
const changedSeconds = 140;

const startedAtMs = Date.now() - performance.now();
const { CI: ci, PATH: searchPath = '', TEST_MINUTES_MAX: minutesMax } = process.env;
const { changedSince, jestArguments } = readArguments(process.argv.slice(2));

const chosen =
  changedSince === null ? await listTestFiles(jestArguments) : await listChangedTests(changedSince);
const missing = await preparePrograms();
const absent = [...new Set(missing.flatMap(({ files }) => files))];
// With all files, Jest runs the tests of the tools among them.
const skipped = changedSince === null ? ['--skip', 'tools'] : [];
const haveChecksPassed = (await run('node', ['tools/check.ts', ...skipped])) === 0;
console.log('');
const runnable = chosen.filter((file) => !absent.includes(file));
const optional = optionalFiles();
const progress = printProgress({ fileCount: runnable.length });
const exitCode = runnable.length === 0 ? 0 : await runChosen();
const ended = progress.end();

const leftOut = ended.filter(({ skippedTitles: [first] }) => first === leftOutTitle);
const files = ended.filter((each) => !leftOut.includes(each));
const isComplete = missing.length === 0 || ci !== 'true';
const hasPassed = exitCode === 0 && isComplete;
const seconds = performance.now() / 1000;
const summary = { haveChecksPassed, hasPassed, files, seconds, missing, leftOut };
console.log(summarize(summary).join('\n'));
process.exitCode = haveChecksPassed && hasPassed ? 0 : 1;

/** Installs what the chosen tests need, where possible; returns what is missing still. */
async function preparePrograms(): Promise<MissingProgram[]> {
  const wanted = findMissingPrograms(chosen, searchPath);
  // Three minutes are for the tests.
  if (wanted.length > 0 && changedSince === null) {
    await installPrograms(wanted.map(({ program }) => program.debianPackage));
  }
  if (changedSince === null) {
    await installHeadlessShell(chosen);
  }
  return findMissingPrograms(chosen, searchPath);
}

/** Of a change, all files end with the three minutes; of all files, the slowest do with TEST_MINUTES_MAX. */
function optionalFiles(): OptionalFiles {
  if (changedSince !== null) {
    return { files: runnable, untilMs: startedAtMs + changedSeconds * 1000 };
  }
  const late = runnable
    .filter((file) => latePlaceOf(file) >= 0)
    .toSorted((one, other) => latePlaceOf(one) - latePlaceOf(other));
  const untilMs = minutesMax ? startedAtMs + Number(minutesMax) * 60_000 : undefined;
  return { files: late, untilMs };
}

/** Runs all files that can run, or what the arguments choose of them. */
async function runChosen(): Promise<number> {
  const { onMessage } = progress;
  if (jestArguments.length > 0) {
    return runJest({ args: jestArguments, ignored: absent.map(patternOf), onMessage });
  }
  const [waiting, working] = [
    runnable.filter(isWaiting),
    runnable.filter((each) => !isWaiting(each)),
  ];
  const exitCodes = await Promise.all([
    runFiles(working),
    // Beside the others: they leave the processors to them. What a failed test leaves open ends with the single process.
    runFiles(waiting, '--maxWorkers=1', '--forceExit'),
  ]);
  return Math.max(...exitCodes);
}

async function runFiles(files: readonly string[], ...args: readonly string[]): Promise<number> {
  const { onMessage } = progress;
  return files.length === 0
    ? 0
    : runJest({ args: [...args, '--runTestsByPath', ...files], optional, onMessage });
}

/** A pattern for Jest that matches this path only. */
function patternOf(file: string): string {
  return `/${file.replaceAll('.', String.raw`\.`)}$`;
}
