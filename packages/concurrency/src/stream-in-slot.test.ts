import { describe, expect, it } from '@jest/globals';
import { createLimiter } from './limiter.ts';
import { streamInSlot } from './stream-in-slot.ts';

const rejection = () => new Error('full');
const settled = () => new Promise((resolve) => setImmediate(resolve));

const parts = async function* () {
  yield 'first';
  yield 'second';
};

describe('parts that are streamed in one slot', () => {
  it('keep others waiting until the last is there', async () => {
    const limit = createLimiter({ runningMax: 1, waitingMax: 10, rejection });
    const happened: string[] = [];
    const other = Promise.withResolvers<void>();
    for await (const part of streamInSlot(limit, parts())) {
      if (part === 'first') {
        void limit(() => {
          happened.push('other');
          return other.promise;
        });
      }
      await settled();
      happened.push(part);
    }
    await settled();
    expect(happened).toEqual(['first', 'second', 'other']);
    other.resolve();
  });

  it('free the slot when they fail or the reader stops early', async () => {
    const limit = createLimiter({ runningMax: 1, waitingMax: 10, rejection });
    for await (const part of streamInSlot(limit, parts())) {
      expect(part).toBe('first');
      break;
    }
    const failing = async function* () {
      yield await Promise.reject<string>(new Error('no'));
    };
    await expect(streamInSlot(limit, failing()).next()).rejects.toThrow('no');
    expect(await limit(() => Promise.resolve('next'))).toBe('next');
  });

  it('are rejected when the queue is full, before the first is made', async () => {
    const limit = createLimiter({ runningMax: 1, waitingMax: 0, rejection });
    const running = Promise.withResolvers<void>();
    const first = limit(() => running.promise);
    let isMade = false;
    const made = async function* () {
      isMade = true;
      yield 'part';
    };
    await expect(streamInSlot(limit, made()).next()).rejects.toThrow('full');
    expect(isMade).toBe(false);
    running.resolve();
    await first;
  });
});
