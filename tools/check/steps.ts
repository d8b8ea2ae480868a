import type { Step } from './step.ts';

/** Folders with our code. Searching for files would take the linter minutes. */
const sources = [
  'packages',
  'services',
  'testing',
  'tools',
  'jest.config.mjs',
  '.dependency-cruiser.mjs',
];

/** All checks of `pnpm check`, slow ones first so that quick ones run beside them. */
export const steps: readonly Step[] = [
  { name: 'types', commands: [['tsc', '-b']] },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings', ...sources]] },
  { name: 'layers', commands: [['node', 'tools/check-layers.ts']] },
  { name: 'words', commands: [['node', 'tools/check-words.ts']] },
  { name: 'tools', commands: [['jest', '--selectProjects', 'tools']] },
  { name: 'unused', commands: [['knip', '--no-progress', '--no-config-hints']] },
  { name: 'format', commands: [['oxfmt', '--check', '.']] },
  { name: 'settings', commands: [['node', 'packages/config/src/settings-main.ts', '--check']] },
  {
    name: 'openapi',
    commands: [
      ['node', 'packages/openapi/src/write-document.ts', '--check'],
      ['redocly', 'lint', 'docs/openapi.json'],
    ],
  },
];
