import { describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createHeavyWorkLimiter } from './heavy-work-limiter.ts';

const companyA = companyId.parse(newId());
const companyB = companyId.parse(newId());

/** Work that ends when `finish` is called. */
const pendingWork = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, finish: resolve };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the heavy-work limiter', () => {
  it('runs two heavy tasks of a company at once, the next in arrival order', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 2, waitingMax: 10 });
    const began: number[] = [];
    const works = [0, 1, 2, 3].map(() => pendingWork());
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

  it('does not delay a company by the flood of another', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 2, waitingMax: 1_000 });
    const flood = pendingWork();
    const flooding = Array.from({ length: 500 }, () => limitHeavyWork(companyA, flood.work));
    expect(await limitHeavyWork(companyB, () => Promise.resolve('done'))).toBe('done');
    flood.finish();
    await Promise.all(flooding);
  });

  it('rejects what exceeds the queue, and accepts again when the flood is over', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 1 });
    const first = pendingWork();
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

  it('frees the slot when work fails', async () => {
    const limitHeavyWork = createHeavyWorkLimiter({ runningMax: 1, waitingMax: 1 });
    const failing = limitHeavyWork(companyA, () => Promise.reject(new Error('no')));
    const next = limitHeavyWork(companyA, () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
