import { describe, expect, it } from '@jest/globals';
import { createClient, ProblemError, startSyncLoop } from '../src/index.ts';

/** A client without a network: the change feed does not open. */
const api = createClient({
  baseUrl: 'http://127.0.0.1',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
});

const refusedBy = (status: number, body: unknown): ProblemError =>
  new ProblemError(new Response(null, { status }), body);

/** Runs a loop whose first synchronisation fails; how often it synchronised, with what the loop ends. */
const runWithFailure = async (failure: Error) => {
  const stop = new AbortController();
  let count = 0;
  const { ended } = startSyncLoop({
    api,
    signal: stop.signal,
    onError: () => undefined,
    syncOnce: async () => {
      count += 1;
      if (count === 1) {
        throw failure;
      }
      stop.abort();
    },
  });
  const [end] = await Promise.allSettled([ended]);
  return { count, reason: end.status === 'rejected' ? (end.reason as unknown) : null };
};

describe('a loop', () => {
  it.each([
    ['grants that changed meanwhile', 403, { code: 'folder_not_granted', detail: 'retry' }],
    ['what a proxy responds in place of the API', 403, '<html>'],
    ['what a portal responds in place of the API', 401, null],
  ])('goes on after %s', async (_, status, body) => {
    expect(await runWithFailure(refusedBy(status, body))).toEqual({ count: 2, reason: null });
  });

  it.each([
    [401, 'invalid_token'],
    [403, 'insufficient_scope'],
  ])('ends with %d %s of the API', async (status, code) => {
    const error = refusedBy(status, { code, detail: '' });
    expect(await runWithFailure(error)).toEqual({ count: 1, reason: error });
  });
});
