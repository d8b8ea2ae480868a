import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../../repository-root.ts';

type Outputs = Set<() => string>;

const outputsKey = Symbol.for('commonplace.outputs');
const folder = join(repositoryRoot, '.tmp/outputs');

/** The part of Jest's result of a test file that says whether it failed. */
export type FileResult = {
  readonly numFailingTests: number;
  readonly failureMessage?: string | null;
};

/**
 * Lets the test kit add to a set, which it finds in the given globals, what returns the output of the systems of a test file.
 * The result writes these outputs to a file if a test has failed, and returns its path.
 */
export function collectOutputs(testPath: string, globals: readonly object[]) {
  const outputs: Outputs = new Set();
  for (const each of globals) {
    Reflect.set(each, outputsKey, outputs);
  }
  return ({ numFailingTests, failureMessage }: FileResult): string | null => {
    const hasFailed = numFailingTests > 0 || Boolean(failureMessage);
    if (!hasFailed || outputs.size === 0) {
      return null;
    }
    const name = relative(repositoryRoot, testPath).replaceAll('/', '.');
    const file = join(folder, `${name}.log`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, [...outputs].map((output) => output()).join('\n'));
    return file;
  };
}
