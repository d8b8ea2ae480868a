import { describe, expect, it } from '@jest/globals';
import { describeProposed } from './describe-proposed.ts';

describe('what a run proposed', () => {
  it('is counted by what became of it', () => {
    const states = ['accepted', 'open', 'accepted', 'rejected'] as const;
    expect(describeProposed({ states, hasMore: false })).toBe(
      '4 proposed, 2 accepted, 1 rejected, 1 open',
    );
    expect(describeProposed({ states, hasMore: true })).toBe(
      '4 or more proposed; of the newest 2 accepted, 1 rejected, 1 open',
    );
    expect(describeProposed({ states: ['open'], hasMore: false })).toBe('1 proposed, 1 open');
  });
});
