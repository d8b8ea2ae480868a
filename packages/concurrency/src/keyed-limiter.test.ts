import { describe, expect, it } from '@jest/globals';
import { createKeyedFairLimiter } from './keyed-fair-limiter.ts';
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

it('a limiter that is fair in each group runs the task of another owner before a flood', async () => {
  const limit = createKeyedFairLimiter({ runningMax: 1, waitingMax: 3, rejection });
  const order: string[] = [];
  const add = (group: string, owner: string) =>
    limit({ group, owner }, async () => void order.push(`${group} ${owner}`));
  await Promise.all([
    ...['agent', 'agent', 'agent', 'operator'].map((owner) => add('a', owner)),
    add('b', 'agent'),
  ]);
  expect(order.filter((name) => name.startsWith('a')).indexOf('a operator')).toBeLessThan(2);
  expect(order).toContain('b agent');
});
