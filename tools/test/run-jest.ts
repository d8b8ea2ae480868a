import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import { runCommand, workspaceEnvironment } from '../run-command.ts';
import { optionalFilesVariable, optionalUntilVariable } from './jest/optional-files.ts';
import type { JestMessage } from './jest/report-to-parent.ts';

/** Files that run after all others, in this order, and of which none begins later than this time. */
export interface OptionalFiles {
  readonly files: readonly string[];
  readonly untilMs: number | undefined;
}

type Options = {
  readonly args: readonly string[];
  readonly onMessage: (message: JestMessage) => void;
  readonly optional?: OptionalFiles;
  /** Patterns of files to leave out. */
  readonly ignored?: readonly string[];
};

/** `jest.config.mjs` leaves out the files whose paths these patterns match. */
const ignoredVariable = 'TEST_FILES_IGNORED';

const reporter = join(import.meta.dirname, 'jest/report-to-parent.ts');

/** The test files, relative to the repository, that Jest would run with these arguments. */
export async function listTestFiles(args: readonly string[]): Promise<string[]> {
  const { exitCode, output } = await runCommand('jest', ['--listTests', '--json', ...args]);
  const json = output.split('\n').find((line) => line.startsWith('['));
  if (exitCode !== 0 || json === undefined) {
    throw new Error(`Jest cannot list its tests:\n${output}`);
  }
  return (JSON.parse(json) as string[]).map((file) => relative(repositoryRoot, file));
}

/** Runs tests and reports each file as it ends; resolves with Jest's exit code. */
export function runJest({ args, onMessage, optional, ignored = [] }: Options): Promise<number> {
  return new Promise((resolve, reject) => {
    // Last: what follows the option without a dash would be another reporter.
    const child = spawn('jest', [...args, `--reporters=${reporter}`], {
      cwd: repositoryRoot,
      env: {
        ...workspaceEnvironment(),
        [ignoredVariable]: ignored.join('|'),
        [optionalFilesVariable]: (optional?.files ?? []).join('|'),
        [optionalUntilVariable]: String(optional?.untilMs ?? ''),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => onMessage(message as JestMessage));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
