import { setImmediate as untilRead } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { afterReading } from './after-reading.ts';

describe('a time after reading', () => {
  it('is not called back once what was read by then has cancelled it', async () => {
    const called: string[] = [];
    const cancel = afterReading(1, () => called.push('late'));
    await new Promise<void>((resolve) => {
      // The same timers phase, in which that of the callback has fired already.
      setTimeout(() => {
        cancel();
        resolve();
      }, 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    });
    await untilRead();
    await untilRead();
    expect(called).toEqual([]);
  });

  it('is called back where nothing cancels it', async () => {
    await expect(
      new Promise<string>((resolve) => {
        // Keeps the process alive.
        const waiting = setTimeout(() => undefined, 10_000);
        afterReading(1, () => {
          clearTimeout(waiting);
          resolve('late');
        });
      }),
    ).resolves.toBe('late');
  });
});
