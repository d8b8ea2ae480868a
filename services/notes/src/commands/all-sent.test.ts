import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { allSent } from './all-sent.ts';

describe('statements sent one after the other', () => {
  it('fail as the first that failed, whichever is heard of first', async () => {
    const cause = sleep(10).then(() => Promise.reject(new Error('the cause')));
    const aborted = Promise.reject(new Error('the transaction is aborted'));
    await expect(allSent([sleep(1), cause, aborted])).rejects.toThrow('the cause');
  });

  it('are done when the last is', async () => {
    const done: number[] = [];
    const statement = (ms: number) => sleep(ms).then(() => done.push(ms));
    await allSent([statement(20), undefined, statement(1)]);
    expect(done).toEqual([1, 20]);
  });
});
