import { describe, expect, it } from '@jest/globals';
import { createKeyedLimiter } from './keyed-limiter.ts';

const rejection = () => new Error('busy');

describe('a keyed limiter', () => {
  it('limits each key separately', async () => {
    const limit = createKeyedLimiter({ runningMax: 1, waitingMax: 0, rejection });
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = limit('a', () => promise);
    await expect(limit('a', async () => 'second')).rejects.toThrow('busy');
    expect(await limit('b', async () => 'other')).toBe('other');
    resolve('first');
    expect(await first).toBe('first');
    expect(await limit('a', async () => 'third')).toBe('third');
  });

  it('frees the slot of a task that fails', async () => {
    const limit = createKeyedLimiter({ runningMax: 1, waitingMax: 1, rejection });
    const failing = limit('a', () => Promise.reject(new Error('failed')));
    const next = limit('a', async () => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });
});
