import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLog } from '@commonplace/http';
import { runPeriodically } from './run-periodically.ts';

const log = createLog('agents', 'silent');

/** Waits up to a second until a condition holds. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let attempts = 0; attempts < 200 && !holds(); attempts += 1) {
    await setTimeout(5);
  }
};

describe('runPeriodically', () => {
  it('continues after a failure', async () => {
    let times = 0;
    const stop = runPeriodically(1, log, async () => {
      times += 1;
      throw new Error('unavailable');
    });
    await until(() => times >= 3);
    await stop();
    expect(times).toBeGreaterThanOrEqual(3);
  });

  it('never overlaps runs, and stopping waits for the current run', async () => {
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
