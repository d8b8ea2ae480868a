import { statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import { runCommand } from '../run-command.ts';
import { latePlaceOf } from './late-files.ts';
import { listTestFiles } from './run-jest.ts';
import { rankTests } from './rank-tests.ts';

/** Test files that drive services and the console as processes, so that Jest finds no import of what they test. */
const drivesProcesses = /^(?:packages\/console|testing\/e2e)\/test\//;

/** What such a test runs. */
const isRun = (file: string): boolean =>
  /^(?:services|packages)\/[^/]+\/(?:src|migrations)\//.test(file);

/** A check runs these. */
const isOfTools = (file: string): boolean => file.startsWith('tools/');

/**
 * The test files that a change touches, closest first: of the work tree against the commit where it left `ref`,
 * with files that git does not know yet.
 */
export async function listChangedTests(ref: string): Promise<string[]> {
  const changed = [
    ...(await git(['diff', '--name-only', '--diff-filter=d', '--merge-base', ref])),
    ...(await git(['ls-files', '--others', '--exclude-standard'])),
  ];
  if (changed.length === 0) {
    return [];
  }
  const sources = changed.filter((file) => /\.(?:ts|tsx|mjs|json)$/.test(file));
  const related =
    sources.length > 0
      ? await listTestFiles(['--passWithNoTests', '--findRelatedTests', ...sources])
      : [];
  const driving = changed.some(isRun)
    ? (await listTestFiles([])).filter((file) => drivesProcesses.test(file))
    : [];
  const tests = [...new Set([...related, ...driving])].filter(
    (file) => !isOfTools(file) && (changed.includes(file) || latePlaceOf(file) < 0),
  );
  return rankTests({ tests, related, changed, bytesOf });
}

const bytesOf = (file: string): number => statSync(join(repositoryRoot, file)).size;

async function git(args: readonly string[]): Promise<string[]> {
  const { exitCode, output } = await runCommand('git', args);
  if (exitCode !== 0) {
    throw new Error(`git ${args.join(' ')} failed:\n${output}`);
  }
  return output.split('\n').filter((line) => line !== '');
}
