import { ProblemError } from '@commonplace/client';
import { describe, expect, it } from '@jest/globals';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { isTransient } from './retry-until-done.ts';

const errorOf = (status: number, body: unknown = null): ProblemError =>
  new ProblemError(new Response(null, { status }), body);

const problem = (code: string) => ({ code, detail: 'What is wrong.' });

describe('a transient error', () => {
  it.each([
    ['no response', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), true],
    ['an unavailable server', errorOf(503, problem('service_unavailable')), true],
    ['a page of a portal, which a heartbeat outlasts', errorOf(200), true],
    ['another 404', errorOf(404), false],
    ['a refusal', errorOf(403, problem('insufficient_scope')), false],
  ])('is %s', (_what, error, expected) => {
    expect(isTransient(error)).toBe(expected);
  });

  it('that is a page has the exit code of a failure: trying again later changes nothing', () => {
    expect(exitCodeOf(errorOf(200))).toBe(exitCodes.failed);
    expect(exitCodeOf(errorOf(503))).toBe(exitCodes.unavailable);
  });
});
