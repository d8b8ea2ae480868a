import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { hedgedRequest } from './hedged-request.ts';

/** A request that behaves differently each time it is sent. */
const requestWith = (...attempts: readonly (() => Promise<string>)[]) => {
  let count = 0;
  const send = (): Promise<string> => {
    const attempt = attempts[count];
    count += 1;
    return attempt ? attempt() : Promise.reject(new Error('sent too often'));
  };
  return { send, sentCount: () => count };
};
const succeeds = (result: string) => () => Promise.resolve(result);
const fails = (message: string) => () => Promise.reject(new Error(message));
const hangs = () => new Promise<string>(() => undefined);

describe('a hedged request', () => {
  it('is sent once when it succeeds', async () => {
    const { send, sentCount } = requestWith(succeeds('first'), succeeds('second'));
    expect(await hedgedRequest(send)).toBe('first');
    await sleep(300);
    expect(sentCount()).toBe(1);
  });

  it('is sent again at once when it fails', async () => {
    const { send } = requestWith(fails('closed'), succeeds('second'));
    jest.useFakeTimers();
    try {
      // The clock is stopped, so the retry cannot have waited.
      expect(await hedgedRequest(send)).toBe('second');
    } finally {
      jest.useRealTimers();
    }
  });

  it('is sent again when it hangs', async () => {
    const { send, sentCount } = requestWith(hangs, succeeds('second'));
    expect(await hedgedRequest(send)).toBe('second');
    expect(sentCount()).toBe(2);
  });

  it('returns a late first response', async () => {
    const again = Promise.withResolvers<null>();
    const { send, sentCount } = requestWith(
      () => again.promise.then(() => sleep(50, 'late')),
      () => {
        again.resolve(null);
        return hangs();
      },
    );
    expect(await hedgedRequest(send)).toBe('late');
    expect(sentCount()).toBe(2);
  });

  it('is sent twice at most, and rejects with the second error', async () => {
    const { send, sentCount } = requestWith(fails('one'), fails('two'), succeeds('never'));
    await expect(hedgedRequest(send)).rejects.toThrow('two');
    expect(sentCount()).toBe(2);
  });
});
