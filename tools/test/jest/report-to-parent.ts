import { relative } from 'node:path';
import { repositoryRoot } from '../../repository-root.ts';

/** What `pnpm test` learns of a run of Jest, while it runs. */
export type JestMessage = { readonly started: string } | { readonly ended: TestFile };

export interface TestFile {
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
  /** A file that cannot run counts as one failed test. */
  readonly failed: number;
  readonly skippedTitles: readonly string[];
  /** How its tests failed, as Jest words it, and what they printed; '' if none did. */
  readonly failure: string;
}

/** As far as this needs it. */
type FileResult = {
  readonly perfStats: { readonly start: number; readonly end: number };
  readonly numPassingTests: number;
  readonly numFailingTests: number;
  readonly testResults: readonly { readonly status: string; readonly fullName: string }[];
  readonly failureMessage?: string | null;
  readonly console?: readonly { readonly message: string }[];
};

/** Jest's reporter: sends each file to the process that started Jest, which does the printing. */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default class ReportToParent {
  onTestFileStart({ path }: { readonly path: string }): void {
    send({ started: relative(repositoryRoot, path) });
  }

  onTestFileResult({ path }: { readonly path: string }, result: FileResult): void {
    send({ ended: describe(relative(repositoryRoot, path), result) });
  }
}

function describe(file: string, result: FileResult): TestFile {
  const { perfStats, failureMessage, testResults } = result;
  const isFailed = Boolean(failureMessage) || result.numFailingTests > 0;
  const printed = (result.console ?? []).map(({ message }) => message);
  return {
    file,
    seconds: (perfStats.end - perfStats.start) / 1000,
    passed: result.numPassingTests,
    failed: isFailed ? Math.max(1, result.numFailingTests) : 0,
    skippedTitles: testResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => fullName),
    failure: isFailed ? [failureMessage ?? '', ...printed].join('\n').trimEnd() : '',
  };
}

function send(message: JestMessage): void {
  process.send?.(message);
}
