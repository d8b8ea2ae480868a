import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { onConnection, streamOnConnection } from './on-connection.ts';
import { onMultiplexedConnection } from './multiplexed-connections.ts';

/** A pool of one connection, which records the argument of each release; true destroys it. */
const aPool = () => {
  const released: unknown[] = [];
  const client = {
    release: (isEnded?: boolean) => void released.push(isEnded ?? false),
    once: () => undefined,
    off: () => undefined,
  };
  return { pool: { connect: async () => client } as unknown as pg.Pool, released };
};

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error('failed'), { code });
};

async function* failingParts(code: string) {
  yield 1;
  await failing(code)();
}

const ways = {
  'that one uses': (pool: pg.Pool, code: string) => onConnection(pool, failing(code)),
  'that several share': (pool: pg.Pool, code: string) =>
    onMultiplexedConnection(pool, failing(code)),
  'that gives parts': async (pool: pg.Pool, code: string) => {
    for await (const part of streamOnConnection(pool, () => failingParts(code))) {
      expect(part).toBe(1);
    }
  },
};

describe.each(Object.entries(ways))('a connection %s', (_which, use) => {
  it.each([
    ['57P01', 'the server terminated it', true],
    ['57P02', 'the server crashed', true],
    ['57014', 'a statement was cancelled', false],
    ['23505', 'a statement failed', false],
  ])('after %s, %s, is destroyed: %s', async (code, _why, isDestroyed) => {
    const { pool, released } = aPool();
    await expect(use(pool, code)).rejects.toMatchObject({ code });
    await Promise.resolve();
    expect(released).toEqual([isDestroyed]);
  });
});
