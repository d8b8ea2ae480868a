import { describe, expect, it } from '@jest/globals';
import { describeInstanceDetail } from './describe-instance-action.ts';

describe('the detail of an account change', () => {
  it.each([
    [{ by: 'first', isAdmin: true }, 'by: first · administrator'],
    [{ by: 'invited', isAdmin: false }, 'by: invited'],
    [{ sessions: 2, otherFactors: 0 }, 'sessions: 2 · other factors: 0'],
    [{}, ''],
  ])('is in words: %j', (detail, text) => {
    expect(describeInstanceDetail(detail)).toBe(text);
  });
});
