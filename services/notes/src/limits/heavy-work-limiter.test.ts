import { describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createHeavyWorkLimiter, limitStream } from './heavy-work-limiter.ts';

const companyA = companyId.parse(newId());
const companyB = companyId.parse(newId());

/** Work that is done when it is told to be. */
const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, finish: resolve };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('lets a company do two heavy things at once, the next ones in their order', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 2, waitingMax: 10 });
    const began: number[] = [];
    const works = [0, 1, 2, 3].map(() => held());
    const all = works.map(({ work }, index) =>
      limitHeavyWork(companyA, () => {
        began.push(index);
        return work();
      }),
    );
    await settled();
    expect(began).toEqual([0, 1]);
    works[1]?.finish();
    await settled();
    expect(began).toEqual([0, 1, 2]);
    works.forEach(({ finish }) => finish());
    await Promise.all(all);
    expect(began).toEqual([0, 1, 2, 3]);
  });

  it('keeps nobody waiting for the flood of another company', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 2, waitingMax: 1_000 });
    const flood = held();
    const flooding = Array.from({ length: 500 }, () => limitHeavyWork(companyA, flood.work));
    expect(await limitHeavyWork(companyB, () => Promise.resolve('done'))).toBe('done');
    flood.finish();
    await Promise.all(flooding);
  });

  it('sends away what is too much to wait, and serves again when the flood is over', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 1 });
    const first = held();
    const accepted = [
      limitHeavyWork(companyA, first.work),
      limitHeavyWork(companyA, () => Promise.resolve()),
    ];
    await expect(limitHeavyWork(companyA, () => Promise.resolve())).rejects.toMatchObject({
      code: 'busy',
    });
    first.finish();
    await Promise.all(accepted);
    expect(await limitHeavyWork(companyA, () => Promise.resolve('again'))).toBe('again');
  });

  it('gives the turn on when work fails', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 1 });
    const failing = limitHeavyWork(companyA, () => Promise.reject(new Error('no')));
    const next = limitHeavyWork(companyA, () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});

describe('parts that are made in one turn', () => {
  const parts = async function* () {
    yield 'first';
    yield 'second';
  };

  it('keep others waiting until the last is there', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 10 });
    const happened: string[] = [];
    const other = held();
    for await (const part of limitStream(limitHeavyWork, companyA, parts())) {
      if (part === 'first') {
        void limitHeavyWork(companyA, () => {
          happened.push('other');
          return other.work();
        });
      }
      await settled();
      happened.push(part);
    }
    await settled();
    expect(happened).toEqual(['first', 'second', 'other']);
    other.finish();
  });

  it('give the turn on when they fail, or nobody wants the rest', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 10 });
    for await (const part of limitStream(limitHeavyWork, companyA, parts())) {
      expect(part).toBe('first');
      break;
    }
    const failing = async function* () {
      yield await Promise.reject<string>(new Error('no'));
    };
    await expect(limitStream(limitHeavyWork, companyA, failing()).next()).rejects.toThrow('no');
    expect(await limitHeavyWork(companyA, () => Promise.resolve('next'))).toBe('next');
  });

  it('are refused where too much waits, before the first is made', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 0 });
    const running = held();
    const first = limitHeavyWork(companyA, running.work);
    let isMade = false;
    const made = async function* () {
      isMade = true;
      yield 'part';
    };
    await expect(limitStream(limitHeavyWork, companyA, made()).next()).rejects.toMatchObject({
      code: 'busy',
    });
    expect(isMade).toBe(false);
    running.finish();
    await first;
  });
});
