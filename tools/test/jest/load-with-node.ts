import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../repository-root.ts';

/** Jest's loader of modules, as far as this needs it. */
export type Runtime = {
  requireModuleOrMock: (from: string, name: string) => Readonly<Record<string, unknown>>;
  unstable_importModule: (path: string) => Promise<unknown>;
};

/** What Jest has only for modules that it loads itself, or that would change the globals of later files. */
const needsIsolation =
  /useFakeTimers|unstable_mockModule|isolateModules|resetModules|\bglobalThis\b/;

/** Pages of the console keep state in modules, as a browser has one of each. */
const hasStateInModules = /\/packages\/console\/src\//;

/** Tests and what only they use. */
const testsPath = /^(?:testing|tools|[^/]+\/[^/]+\/test)\/|\.test\.ts$/;

/** `expect` compares the classes of values, and Jest would give it those of a realm of its own. */
const comparedClasses = {
  AggregateError,
  BigInt,
  Boolean,
  DataView,
  Date,
  Error,
  EvalError,
  Function,
  Map,
  Number,
  Object,
  RangeError,
  ReferenceError,
  RegExp,
  Set,
  String,
  Symbol,
  SyntaxError,
  TypeError,
  URIError,
  WeakMap,
  WeakSet,
};

const globalsScheme = 'jest-globals:';

/** What `@jest/globals` is to the test file that runs; a worker runs one at a time. */
const current = { run: 0, globals: {} as Readonly<Record<string, unknown>> };

const globalsKey = Symbol.for('commonplace.jestGlobals');

/**
 * Loads a test file and its imports with Node instead of Jest. Jest compiles and evaluates every module once per test file,
 * which for most files takes longer than their tests; Node evaluates the modules of the product once per worker. These keep no
 * state: what has state is created at startup and passed on.
 */
export function loadWithNode(runtime: Runtime, testPath: string, global: object): void {
  if (hasStateInModules.test(testPath) || needsIsolation.test(readFileSync(testPath, 'utf8'))) {
    return;
  }
  if (current.run === 0) {
    registerHooks({ resolve: resolveForRun, load: loadGlobals });
    Reflect.set(globalThis, globalsKey, () => current.globals);
  }
  current.run += 1;
  Object.assign(global, comparedClasses);
  runtime.unstable_importModule = async (path) => {
    current.globals = runtime.requireModuleOrMock(path, '@jest/globals');
    return import(inRun(pathToFileURL(path).href));
  };
}

const root = pathToFileURL(`${repositoryRoot}/`).href;

/** Whether a module is evaluated for each file, because it may hold what belongs to the run of one. */
const isOfTests = (url: string): boolean =>
  url.startsWith(root) &&
  !/\/node_modules\/|\?/.test(url) &&
  testsPath.test(url.slice(root.length));

/** The address of a module that is evaluated for this run only. */
const inRun = (url: string): string => `${url}?run=${current.run}`;

type Hooks = Required<Parameters<typeof registerHooks>[0]>;

const resolveForRun: Hooks['resolve'] = (specifier, context, nextResolve) => {
  // The set-up of Jest itself imports some of the same modules outside of a run.
  const isFromRun = context.parentURL?.endsWith(inRun('')) ?? false;
  if (isFromRun && specifier === '@jest/globals') {
    return { url: inRun(globalsScheme), format: 'module', shortCircuit: true };
  }
  const resolved = nextResolve(specifier, context);
  return isFromRun && isOfTests(resolved.url)
    ? { ...resolved, url: inRun(resolved.url) }
    : resolved;
};

const loadGlobals: Hooks['load'] = (url, context, nextLoad) => {
  if (!url.startsWith(globalsScheme)) {
    return nextLoad(url, context);
  }
  const names = Object.keys(current.globals).join(', ');
  const source = `export const { ${names} } = globalThis[Symbol.for('${String(globalsKey.description)}')]();`;
  return { format: 'module', source, shortCircuit: true };
};
