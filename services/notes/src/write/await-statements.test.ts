import { describe, expect, it } from '@jest/globals';
import { awaitStatements } from './version-writer.ts';

describe('statements sent one after the other', () => {
  it('reject with the first failure in statement order, whichever settles first', async () => {
    const first = Promise.withResolvers<void>();
    const aborted = Promise.reject(new Error('the transaction is aborted'));
    const all = awaitStatements([Promise.resolve(), first.promise, aborted]);
    await aborted.catch(() => undefined);
    first.reject(new Error('the cause'));
    await expect(all).rejects.toThrow('the cause');
  });

  it('are done when the last is', async () => {
    const last = Promise.withResolvers<void>();
    let isDone = false;
    const all = awaitStatements([last.promise, undefined, Promise.resolve()]).then(
      () => (isDone = true),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    last.resolve();
    await all;
    expect(isDone).toBe(true);
  });
});
