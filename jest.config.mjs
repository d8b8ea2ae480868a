const generated = '<rootDir>/(\\.tsbuild|\\.data|\\.tmp)/';
const lintRuleFixtures = '<rootDir>/tools/lint-rules/fixtures/';

// Files that `pnpm test` leaves out, because a program they drive is not installed.
// oxlint-disable-next-line node/no-process-env -- Jest passes nothing else to its configuration
const { TEST_FILES_IGNORED: ignored = '' } = process.env;

// Node strips the types itself, so Jest transforms nothing. Run it with
// NODE_OPTIONS=--experimental-vm-modules, as `pnpm test` and `pnpm test:unit` do.
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testRunner: '<rootDir>/tools/test/jest/run-in-time.ts',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: [generated, lintRuleFixtures],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/fixtures/',
    generated,
    ...ignored.split('|').filter((pattern) => pattern !== ''),
  ],
};

export default {
  // Two cores are what a small machine has; PostgreSQL works beside the tests.
  maxWorkers: 2,
  // Modules of finished files stay in the heap of a worker: 4.6 GB after all files.
  workerIdleMemoryLimit: '1.5GB',
  // A worker stops the system and the browser that its test files shared, on a busy machine.
  workerGracefulExitTimeout: 20_000,
  testSequencer: '<rootDir>/tools/test/jest/file-order.ts',
  // Enough on a busy machine: a test that fails is not run again.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      // Pure code, beside the file it tests: needs no PostgreSQL and starts none.
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,services,testing}/*/src/**/*.test.ts'],
    },
    {
      ...common,
      // Through the real door, over one embedded PostgreSQL and its template database.
      displayName: 'service',
      testMatch: ['<rootDir>/{packages,services,testing}/*/test/**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '/packages/console/'],
      globalSetup: '<rootDir>/testing/testkit/src/global-setup.ts',
      globalTeardown: '<rootDir>/testing/testkit/src/global-teardown.ts',
    },
    {
      ...common,
      // The operators' console in a real browser, over the real system.
      displayName: 'console',
      testMatch: ['<rootDir>/packages/console/test/**/*.test.ts'],
      globalSetup: '<rootDir>/testing/testkit/src/global-setup.ts',
      globalTeardown: '<rootDir>/testing/testkit/src/global-teardown.ts',
    },
    {
      ...common,
      // Tests that every lint rule of `pnpm check` finds its fixture.
      displayName: 'tools',
      testMatch: ['<rootDir>/tools/**/*.test.ts'],
    },
  ],
};
