import { describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createTurns } from './turns.ts';

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
    const takeTurn = createTurns({ runningMax: 2, waitingMax: 10 });
    const began: number[] = [];
    const works = [0, 1, 2, 3].map(() => held());
    const all = works.map(({ work }, index) =>
      takeTurn(companyA, () => {
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
    const takeTurn = createTurns({ runningMax: 2, waitingMax: 1_000 });
    const flood = held();
    const flooding = Array.from({ length: 500 }, () => takeTurn(companyA, flood.work));
    expect(await takeTurn(companyB, () => Promise.resolve('done'))).toBe('done');
    flood.finish();
    await Promise.all(flooding);
  });

  it('sends away what is too much to wait, and serves again when the flood is over', async () => {
    const takeTurn = createTurns({ runningMax: 1, waitingMax: 1 });
    const first = held();
    const accepted = [takeTurn(companyA, first.work), takeTurn(companyA, () => Promise.resolve())];
    await expect(takeTurn(companyA, () => Promise.resolve())).rejects.toMatchObject({
      code: 'busy',
    });
    first.finish();
    await Promise.all(accepted);
    expect(await takeTurn(companyA, () => Promise.resolve('again'))).toBe('again');
  });

  it('gives the turn on when work fails', async () => {
    const takeTurn = createTurns({ runningMax: 1, waitingMax: 1 });
    const failing = takeTurn(companyA, () => Promise.reject(new Error('no')));
    const next = takeTurn(companyA, () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
