import { describe, expect, it } from '@jest/globals';
import type { WriteRequest } from './change.ts';
import { areReadBefore } from './ended-elsewhere.ts';

const accepting = { changes: [{ rule: 'unparsed_put', acceptance: {} }] };
const other = { changes: [{ rule: 'unparsed_put' }] };
const both = { changes: [...accepting.changes, ...other.changes] };

const requestsOf = (...requests: readonly object[]) => requests as readonly WriteRequest[];

describe('proposals that are accepted', () => {
  it('count as they were read before the lock in a batch that only accepts', () => {
    const requests = requestsOf(accepting, accepting);
    expect(areReadBefore({ requests, isRetry: false })).toBe(true);
  });

  it.each([
    ['a retry', requestsOf(accepting), true],
    ['a batch with other requests', requestsOf(accepting, other), false],
    ['a batch with other changes', requestsOf(both), false],
  ])('are read under the lock by %s', (_batch, requests, isRetry) => {
    expect(areReadBefore({ requests, isRetry })).toBe(false);
  });
});
