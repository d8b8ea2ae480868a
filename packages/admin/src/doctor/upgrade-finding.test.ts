import { expect, it } from '@jest/globals';
import { upgradeFinding } from './upgrade-finding.ts';

it('an upgrade is expected to take the connections of all processes and of the largest service once more', () => {
  const finding = upgradeFinding({ counts: [2, 3, 4], each: 10, max: 100 });
  expect(finding).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('up to 140 of 100'),
  });
  expect(upgradeFinding({ counts: [2, 3, 4], each: 10, max: 140 }).state).toBe('ok');
  expect(upgradeFinding({ counts: [1, 1, 1], each: 10, max: 100 }).state).toBe('ok');
});
