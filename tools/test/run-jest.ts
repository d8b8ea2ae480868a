import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import { runCommand, workspaceEnvironment } from '../run-command.ts';

/** Test counts. A file that cannot run counts as one failed test. */
export type Totals = { passed: number; failed: number; skipped: number };

export interface TestFile {
  readonly file: string;
  readonly hasFailed: boolean;
  readonly seconds: number;
  readonly failedTitles: readonly string[];
  readonly skippedTitles: readonly string[];
}

export interface Outcome {
  readonly totals: Totals;
  readonly files: readonly TestFile[];
}

/** `jest.config.mjs` leaves out the files whose paths these patterns match. */
const ignoredVariable = 'TEST_FILES_IGNORED';

/** The test files, relative to the repository, that Jest would run with these arguments. */
export async function listTestFiles(args: readonly string[]): Promise<string[]> {
  const { exitCode, output } = await runCommand('jest', ['--listTests', '--json', ...args]);
  const json = output.split('\n').find((line) => line.startsWith('['));
  if (exitCode !== 0 || json === undefined) {
    throw new Error(`Jest cannot list its tests:\n${output}`);
  }
  return (JSON.parse(json) as string[]).map((file) => relative(repositoryRoot, file));
}

/** Runs the tests, except files that match `ignored`, and counts them from Jest's JSON report. */
export async function runJest(
  args: readonly string[],
  ignored: readonly string[] = [],
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-test-'));
  const report = join(folder, 'report.json');
  try {
    const exitCode = await run('jest', ['--json', `--outputFile=${report}`, ...args], {
      [ignoredVariable]: ignored.join('|'),
    });
    const { totals, files } = await readReport(report);
    // Jest may also fail outside tests, such as in a global teardown.
    const isUnexplained = exitCode !== 0 && totals.failed === 0;
    return { totals: isUnexplained ? { ...totals, failed: 1 } : totals, files };
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Report = Readonly<Record<string, unknown>> & {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

async function readReport(report: string): Promise<Outcome> {
  let text: string;
  try {
    text = await readFile(report, 'utf8');
  } catch {
    console.error('Jest ended without writing its report.');
    return { totals: { passed: 0, failed: 1, skipped: 0 }, files: [] };
  }
  const parsed = JSON.parse(text) as Report;
  const count = (name: string): number => Number(parsed[name] ?? 0);
  const totals = {
    passed: count('numPassedTests'),
    failed: count('numFailedTests') + count('numRuntimeErrorTestSuites'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  };
  const files = parsed.testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
    const titlesOf = (wanted: string): string[] =>
      assertionResults.filter((each) => each.status === wanted).map((each) => each.fullName);
    return {
      file: relative(repositoryRoot, name),
      hasFailed: status === 'failed',
      seconds: (endTime - startTime) / 1000,
      failedTitles: titlesOf('failed'),
      skippedTitles: titlesOf('pending'),
    };
  });
  return { totals, files };
}

/** Runs a program of the workspace with inherited output; resolves with its exit code. */
export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: repositoryRoot,
      env: { ...workspaceEnvironment(), ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
