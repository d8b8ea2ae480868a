// `pnpm test:compose`: the deployment, with a real Docker Engine. Apart from `pnpm test`, because it
// takes minutes and needs one.
export default {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testRunner: '<rootDir>/tools/test/jest/run-in-time.ts',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  testMatch: ['<rootDir>/testing/e2e/compose/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/(\\.tsbuild|\\.data|\\.tmp|tools/lint-rules/fixtures)/'],
  // Each test brings a whole system from one state to another.
  testTimeout: 600_000,
};
