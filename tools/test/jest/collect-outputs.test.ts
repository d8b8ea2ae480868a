import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { repositoryRoot } from '../../repository-root.ts';
import { collectOutputs } from './collect-outputs.ts';

const testPath = join(repositoryRoot, 'tools/test/jest/no-such-file.test.ts');
const kept = join(repositoryRoot, '.tmp/outputs/tools.test.jest.no-such-file.test.ts.log');
afterEach(() => rmSync(kept, { force: true }));

/** What is kept of a file with two systems. */
const keptAfter = (result: Parameters<ReturnType<typeof collectOutputs>>[0]) => {
  const globals = {};
  const keepIfFailed = collectOutputs(testPath, [globals]);
  const outputs = Reflect.get(globals, Symbol.for('commonplace.outputs')) as Set<() => string>;
  outputs.add(() => 'of one');
  outputs.add(() => 'of the other');
  return keepIfFailed(result);
};

it('keeps what the systems of a test file wrote if a test fails, or the file itself', () => {
  for (const failed of [{ numFailingTests: 1 }, { numFailingTests: 0, failureMessage: 'no' }]) {
    rmSync(kept, { force: true });
    expect(keptAfter(failed)).toBe(kept);
    expect(readFileSync(kept, 'utf8')).toBe('of one\nof the other');
  }
});

it('keeps nothing if all tests pass', () => {
  expect(keptAfter({ numFailingTests: 0, failureMessage: null })).toBeNull();
  expect(existsSync(kept)).toBe(false);
});
