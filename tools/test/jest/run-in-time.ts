import { createRequire } from 'node:module';
import { collectOutputs, type FileResult } from './collect-outputs.ts';
import { loadWithNode, type Runtime } from './load-with-node.ts';
import { isTimeOver, leftOutTitle, placeOf } from './optional-files.ts';

/** As far as this needs it: Jest gives its configuration, an environment, a module loader, and the test's path. */
type Run = (
  ...all: readonly [
    unknown,
    unknown,
    { readonly global: { console: Console } },
    Runtime,
    string,
    unknown,
  ]
) => Promise<FileResult>;

/** Jest's own runner, which only packages of Jest depend on. */
const runner = ['jest', '@jest/core', 'jest-config', 'jest-circus/runner'].reduce(
  (from, name) => createRequire(from).resolve(name),
  import.meta.filename,
);
const { default: runWithJest } = createRequire(runner)(runner) as { readonly default: Run };

/**
 * Runs a test file; leaves out an optional one that would begin when the time is over. The file finds the `createRequire` of
 * Node, for what is loaded once for all files of a worker (`requireOutside` of the test kit).
 */
// oxlint-disable-next-line import/no-default-export -- Jest requires a default export
export default async function runInTime(...all: Parameters<Run>): Promise<unknown> {
  const [, , { global }, runtime, path] = all;
  Reflect.set(global, Symbol.for('commonplace.createRequire'), createRequire);
  if (placeOf(path) >= 0 && isTimeOver()) {
    return leftOut(path);
  }
  const keepIfFailed = collectOutputs(path, [globalThis, global]);
  loadWithNode(runtime, path, global);
  const given = globalThis.console;
  // Jest shows what a file printed with its failures.
  globalThis.console = global.console;
  try {
    const result = await runWithJest(...all);
    const file = keepIfFailed(result);
    if (file !== null) {
      globalThis.console.info(`What the processes of the system wrote is in ${file}`);
    }
    return result;
  } finally {
    globalThis.console = given;
  }
}

/** The result that Jest expects of a file whose tests were all skipped. */
function leftOut(path: string): unknown {
  const now = Date.now();
  return {
    testFilePath: path,
    skipped: true,
    leaks: false,
    openHandles: [],
    failureMessage: null,
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    perfStats: { start: now, end: now, runtime: 0, slow: false, loadTestEnvironmentStart: now },
    snapshot: {
      added: 0,
      fileDeleted: false,
      matched: 0,
      unchecked: 0,
      uncheckedKeys: [],
      unmatched: 0,
      updated: 0,
    },
    testResults: [
      {
        ancestorTitles: [],
        title: leftOutTitle,
        fullName: leftOutTitle,
        status: 'pending',
        failureMessages: [],
        failureDetails: [],
        numPassingAsserts: 0,
        invocations: 0,
      },
    ],
  };
}
