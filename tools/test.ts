import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test` runs every check and then every test, the second also when the first failed, so that
 * one run tells everything. What follows it on the command line goes to Jest.
 */

/** What Jest counted. A file that could not be run at all counts as one failed test. */
type Totals = { passed: number; failed: number; skipped: number };

const jestArguments = process.argv.slice(2).filter((argument) => argument !== '--');

// The guards are a Jest project of their own: here they run, and are counted, with all other tests.
const checksPassed = (await run('node', ['tools/check.ts', '--skip', 'guards'])) === 0;
console.log('');
const { jestPassed, totals } = await runJest(jestArguments);

console.log(
  `\nchecks ${checksPassed ? 'passed' : 'FAILED'}, tests ${jestPassed ? 'passed' : 'FAILED'}`,
);
if (totals.skipped > 0) {
  console.log(`${totals.skipped} skipped`);
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = checksPassed && jestPassed ? 0 : 1;

/** Runs the tests and counts them from Jest's own report, never from the text meant for people. */
async function runJest(args: readonly string[]): Promise<{ jestPassed: boolean; totals: Totals }> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-test-'));
  const report = join(folder, 'report.json');
  try {
    const exitCode = await run('jest', ['--json', `--outputFile=${report}`, ...args]);
    const totals = await readTotals(report);
    return { jestPassed: exitCode === 0 && totals.failed === 0, totals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readTotals(report: string): Promise<Totals> {
  let text: string;
  try {
    text = await readFile(report, 'utf8');
  } catch {
    console.error('Jest ended without writing its report.');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const counts = JSON.parse(text) as Record<string, number>;
  const count = (name: string): number => counts[name] ?? 0;
  return {
    passed: count('numPassedTests'),
    failed: count('numFailedTests') + count('numRuntimeErrorTestSuites'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  };
}

/** Runs a program of the workspace on our own output and resolves with its exit code. */
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
