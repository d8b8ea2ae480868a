import { createRequire } from 'node:module';

/** Where the runner of the tests leaves the `createRequire` of Node itself: that of Jest loads a module for each file that it isolates. */
const outside = Reflect.get(globalThis, Symbol.for('commonplace.createRequire')) as
  | typeof createRequire
  | undefined;

/**
 * Loads a module once for all test files of a worker, outside of what Jest isolates them in. For code that is slow to
 * load, knows nothing of a test, and returns nothing whose class a test checks. `from` is the file that requires it.
 */
export const requireOutside = (from: string, name: string): unknown =>
  (outside ?? createRequire)(from)(name);
