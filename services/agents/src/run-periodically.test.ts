import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLog } from '@commonplace/http';
import { runPeriodically } from './run-periodically.ts';

const log = createLog('agents', 'silent');

/** Waits until something is so, a second at most. */
const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !isSo(); tries += 1) {
    await setTimeout(5);
  }
};

describe('repeated work', () => {
  it('goes on after it failed', async () => {
    let times = 0;
    const stop = runPeriodically(1, log, async () => {
      times += 1;
      throw new Error('away for a moment');
    });
    await until(() => times >= 3);
    await stop();
    expect(times).toBeGreaterThanOrEqual(3);
  });

  it('never runs twice at once, and stopping waits for what is in hand', async () => {
    let running = 0;
    let most = 0;
    let times = 0;
    const stop = runPeriodically(1, log, async () => {
      running += 1;
      most = Math.max(most, running);
      await setTimeout(20);
      running -= 1;
      times += 1;
    });
    await until(() => times >= 2 && running === 1);
    await stop();
    const timesAtStop = times;
    await setTimeout(40);
    expect([most, running, times]).toEqual([1, 0, timesAtStop]);
  });
});
