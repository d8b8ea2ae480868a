import { expect, it } from '@jest/globals';
import { exportName } from './export-name.ts';

const now = new Date(2026, 0, 9, 23, 59);

it('an export is named after its company, its folder and the day', () => {
  expect(exportName({ company: 'Acme', folder: undefined, now })).toBe('Acme 2026-01-09.zip');
  expect(exportName({ company: 'Acme', folder: 'plans/2026', now })).toBe(
    'Acme 2026 2026-01-09.zip',
  );
});

it('has a name that every file system takes', () => {
  const name = exportName({ company: 'A/B: "C"?', folder: 'x/..hidden', now });
  expect(name).toBe('A-B- -C-- hidden 2026-01-09.zip');
  expect(exportName({ company: 'Long '.repeat(60), folder: undefined, now }).length).toBeLessThan(
    80,
  );
  expect(exportName({ company: `x${'👍'.repeat(40)}`, folder: undefined, now })).toBe(
    `x${'👍'.repeat(29)} 2026-01-09.zip`,
  );
});
