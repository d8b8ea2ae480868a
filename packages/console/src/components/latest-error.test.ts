import { describe, expect, it } from '@jest/globals';
import { latestError } from './latest-error.ts';

const failed = (submittedAt: number) => ({ error: new Error(`at ${submittedAt}`), submittedAt });
const done = (submittedAt: number) => ({ error: null, submittedAt });

describe('the latest error', () => {
  it('is that of the change that began last', () => {
    expect(latestError(failed(1), failed(2), done(0))?.message).toBe('at 2');
  });

  it('is none once a later change has begun', () => {
    expect(latestError(failed(1), done(2))).toBeNull();
    expect(latestError(done(0))).toBeNull();
  });
});
