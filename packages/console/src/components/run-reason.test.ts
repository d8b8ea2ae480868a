import { expect, it } from '@jest/globals';
import { runReason } from './run-reason.ts';

it('says in words why a run ended, and quotes what its agent said', () => {
  expect(runReason({ reason: 'budget', status: 'cancelled' })).toBe('A report exceeded the budget');
  expect(runReason({ reason: 'budget', status: 'failed' })).toBe('budget');
  expect(runReason({ reason: 'out of tea', status: 'failed' })).toBe('out of tea');
  expect(runReason({ reason: null, status: 'expired' })).toBe('Its token was not renewed in time');
  expect(runReason({ reason: null, status: 'succeeded' })).toBeNull();
});
