import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pauseAfter, runPeriodically, type PeriodicTask } from './run-periodically.ts';

/** Waits up to five seconds until a condition holds. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let attempts = 0; attempts < 1_000 && !holds(); attempts += 1) {
    await sleep(5);
  }
};

const start = (task: Partial<PeriodicTask> & Pick<PeriodicTask, 'run'>) => {
  const controller = new AbortController();
  const ended = runPeriodically(
    { pauseMs: 1, onError: () => undefined, ...task },
    controller.signal,
  );
  return { controller, ended };
};

describe('runPeriodically', () => {
  it('continues after a failure, and reports it', async () => {
    const errors: unknown[] = [];
    const failure = new Error('unavailable');
    const { controller, ended } = start({
      run: () => Promise.reject(failure),
      onError: (error) => errors.push(error),
    });
    await until(() => errors.length >= 3);
    controller.abort();
    await ended;
    expect(errors.slice(0, 3)).toEqual([failure, failure, failure]);
  });

  it('ends when the task is done', async () => {
    let runs = 0;
    const { ended } = start({
      run: async () => {
        runs += 1;
        return runs === 3;
      },
    });
    await ended;
    expect(runs).toBe(3);
  });

  it('never overlaps runs, and waits for the current run when stopped', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const { controller, ended } = start({
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(20);
        running -= 1;
        runs += 1;
      },
    });
    await until(() => runs >= 2 && running === 1);
    controller.abort();
    await ended;
    const runsAtStop = runs;
    await sleep(40);
    expect([most, running, runs]).toEqual([1, 0, runsAtStop]);
  });

  it('does not run when stopped during its initial pause', async () => {
    let runs = 0;
    const { controller, ended } = start({
      initialPauseMs: 60_000,
      run: async () => {
        runs += 1;
      },
    });
    controller.abort();
    await ended;
    expect(runs).toBe(0);
  });
});

describe('the pause of a periodic task', () => {
  it('doubles after failures in a row, up to eight times and half a minute', () => {
    const pauses = (pauseMs: number) =>
      [0, 1, 2, 3, 4, 5].map((count) => pauseAfter(count, pauseMs));
    expect(pauses(1_000)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(pauses(10_000)).toEqual([10_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
    expect(pauses(60_000)).toEqual(Array.from({ length: 6 }, () => 60_000));
  });
});
