import { findMissingPrograms, type MissingProgram } from './test/find-missing-programs.ts';
import { installPrograms } from './test/install-programs.ts';
import { printSummary } from './test/print-summary.ts';
import { runInTime, type RunInTime } from './test/run-in-time.ts';
import { listTestFiles, run, runJest, type Outcome } from './test/run-jest.ts';

/*
 * `pnpm test` runs every check and then every test, the second also when the first failed, so that
 * one run reports everything. Further arguments go to Jest.
 *
 * Some tests drive programs that npm does not bring. What is missing is installed where that is possible
 * without a password; otherwise the files that need it are not run and are named at the end. With CI=true that is a failure.
 *
 * The slowest files run last. With TEST_MINUTES_MAX none of them begins after that many minutes; those left out are
 * named at the end.
 *
 * Tests drive browsers, kill processes and wait for real timeouts concurrently, possibly on a small machine.
 * A few failed files are therefore run again, alone. Tests that pass then count as passed and are reported
 * as unsteady, to be investigated.
 */

/** More failures are not caused by a busy machine. */
const repeatedFilesMax = 5;

const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--');
const { CI: ci, PATH: searchPath = '', TEST_MINUTES_MAX: minutesMax } = process.env;

const chosen = await listTestFiles(jestArguments);
const missing = await preparePrograms();
// Jest runs the tests of the tools with all others.
const haveChecksPassed = (await run('node', ['tools/check.ts', '--skip', 'tools'])) === 0;
console.log('');
const first = await runChosen();
const { failedCount, unsteady } = await rerunFailed(first);

const { passed, failed, skipped } = first.totals;
const totals = { passed: passed + failed - failedCount, failed: failedCount, skipped };
const isComplete = missing.length === 0 || ci !== 'true';
const hasPassed = failedCount === 0 && isComplete;
const { files, leftOut } = first;
printSummary({ hasPassed, haveChecksPassed, totals, files, unsteady, missing, leftOut });
process.exitCode = haveChecksPassed && hasPassed ? 0 : 1;

/** Installs what the chosen tests need, where possible; returns what is missing still. */
async function preparePrograms(): Promise<MissingProgram[]> {
  const wanted = findMissingPrograms(chosen, searchPath);
  if (wanted.length > 0) {
    await installPrograms(wanted.map(({ program }) => program.debianPackage));
  }
  return findMissingPrograms(chosen, searchPath);
}

function filesOf(programs: readonly MissingProgram[]): string[] {
  return [...new Set(programs.flatMap(({ files }) => files))];
}

/** Runs all files that can run, or what the arguments choose of them. */
async function runChosen(): Promise<RunInTime> {
  const absent = filesOf(missing);
  if (jestArguments.length > 0) {
    return { ...(await runJest(jestArguments, absent.map(patternOf))), leftOut: [] };
  }
  const runnable = chosen.filter((file) => !absent.includes(file));
  return runInTime(runnable, minutesMax ? Number(minutesMax) : undefined);
}

/** A pattern for Jest that matches this path only. */
function patternOf(file: string): string {
  return `/${file.replaceAll('.', String.raw`\.`)}$`;
}

/** Reruns a few failed files alone: how many tests still fail, and which pass only then. */
async function rerunFailed({ totals: counted, files }: Outcome) {
  const failed = files.filter(({ hasFailed }) => hasFailed);
  if (failed.length === 0 || failed.length > repeatedFilesMax) {
    return { failedCount: counted.failed, unsteady: [] };
  }
  console.log('\nRunning failed files again, alone:');
  const paths = failed.map(({ file }) => file);
  // A failed test may leave a server open, which would keep this single process alive.
  const second = await runJest(['--runInBand', '--forceExit', '--runTestsByPath', ...paths]);
  const stillFailed = new Set(second.files.flatMap(({ failedTitles }) => failedTitles));
  const unsteady = failed
    .flatMap(({ failedTitles }) => failedTitles)
    .filter((title) => !stillFailed.has(title));
  return { failedCount: second.totals.failed, unsteady };
}
