import { expect, it } from '@jest/globals';
import { clockFinding, processClockFinding } from './clock-finding.ts';

it('says nothing of a clock whose time a proxy left out of the response', () => {
  expect(clockFinding('the gateway', null).state).toBe('skipped');
  expect(processClockFinding('notes', null).state).toBe('skipped');
});
