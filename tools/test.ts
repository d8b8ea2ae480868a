import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test` runs every check and then every test, the second also when the first failed, so that
 * one run reports everything. Further arguments go to Jest.
 *
 * Tests drive browsers, kill processes and wait for real timeouts concurrently, possibly on a small machine.
 * A few failed files are therefore run again, alone. Tests that pass then count as passed and are reported
 * as unsteady, to be investigated.
 */

/** Test counts. A file that cannot run counts as one failed test. */
type Totals = { passed: number; failed: number; skipped: number };

type Failed = { readonly file: string; readonly titles: readonly string[] };

type Outcome = { readonly totals: Totals; readonly failed: readonly Failed[] };

/** More failures are not caused by a busy machine. */
const repeatedFilesMax = 5;

const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--');

// Jest runs the tests of the tools with all others.
const checksPassed = (await run('node', ['tools/check.ts', '--skip', 'tools'])) === 0;
console.log('');
const first = await runJest(jestArguments);
const totals = await rerunFailed(first);

console.log(
  `\nchecks ${checksPassed ? 'passed' : 'FAILED'}, tests ${totals.failed === 0 ? 'passed' : 'FAILED'}`,
);
if (totals.skipped > 0) {
  console.log(`${totals.skipped} skipped`);
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = checksPassed && totals.failed === 0 ? 0 : 1;

/** Reruns a few failed files alone and prints the tests that pass only then. */
async function rerunFailed({ totals: counted, failed }: Outcome): Promise<Totals> {
  if (failed.length === 0 || failed.length > repeatedFilesMax) {
    return counted;
  }
  console.log('\nRunning failed files again, alone:');
  const files = failed.map(({ file }) => file);
  // A failed test may leave a server open, which would keep this single process alive.
  const second = await runJest(['--runInBand', '--forceExit', '--runTestsByPath', ...files]);
  const stillFailed = new Set(second.failed.flatMap(({ titles }) => titles));
  const unsteady = failed.flatMap(({ titles }) => titles).filter((each) => !stillFailed.has(each));
  for (const title of unsteady) {
    console.log(`UNSTEADY (failed beside others, passed alone): ${title}`);
  }
  const { failed: failedCount } = second.totals;
  const allCount = counted.passed + counted.failed;
  return { ...counted, passed: allCount - failedCount, failed: failedCount };
}

/** Runs the tests and counts them from Jest's JSON report. */
async function runJest(args: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-test-'));
  const report = join(folder, 'report.json');
  try {
    const exitCode = await run('jest', ['--json', `--outputFile=${report}`, ...args]);
    const { totals: counted, failed } = await readReport(report);
    // Jest may also fail outside tests, such as in a global teardown.
    const isUnexplained = exitCode !== 0 && counted.failed === 0;
    return { totals: isUnexplained ? { ...counted, failed: 1 } : counted, failed };
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Report = Readonly<Record<string, unknown>> & {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

async function readReport(report: string): Promise<Outcome> {
  let text: string;
  try {
    text = await readFile(report, 'utf8');
  } catch {
    console.error('Jest ended without writing its report.');
    return { totals: { passed: 0, failed: 1, skipped: 0 }, failed: [] };
  }
  const parsed = JSON.parse(text) as Report;
  const count = (name: string): number => Number(parsed[name] ?? 0);
  const totals = {
    passed: count('numPassedTests'),
    failed: count('numFailedTests') + count('numRuntimeErrorTestSuites'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  };
  const failed = parsed.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: name,
      titles: assertionResults
        .filter((each) => each.status === 'failed')
        .map((each) => each.fullName),
    }));
  return { totals, failed };
}

/** Runs a program of the workspace with inherited output; resolves with its exit code. */
function run(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: repositoryRoot,
      env: workspaceEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
