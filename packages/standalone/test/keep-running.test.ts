import { expect, test } from '@jest/globals';
import { keepRunning } from '../src/keep-running.ts';
import type { Launched } from '../src/keep-running.ts';
import { eventually } from './helpers.ts';

const ended = (): Launched => ({
  pid: 1,
  exited: Promise.resolve('exit code 1'),
  stop: () => Promise.resolve(),
});

const endless = (onStop: () => void): Launched => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = () => {
    onStop();
    resolve('stopped');
    return Promise.resolve();
  };
  return { pid: 2, exited: promise, stop };
};

const noLog = () => undefined;

test('what keeps ending is started again after longer and longer waits', async () => {
  const starts: number[] = [];
  const launch = () => {
    starts.push(Date.now());
    return Promise.resolve(ended());
  };
  const kept = await keepRunning({ name: 'thing', launch, log: noLog, firstTries: 3 });
  await eventually('it started four times', () => starts.length === 4);
  await kept.stop();
  const waits = starts.slice(1).map((time, index) => time - (starts[index] ?? 0));
  for (const [index, atLeast] of [95, 195, 395].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(atLeast);
  }
});

test('a first start that fails three times is an error', async () => {
  let tries = 0;
  const launch = () => {
    tries += 1;
    return Promise.reject(new Error('no such file'));
  };
  await expect(keepRunning({ name: 'thing', launch, log: noLog, firstTries: 3 })).rejects.toThrow(
    'no such file',
  );
  expect(tries).toBe(3);
});

test('what came up while it was being stopped is stopped too', async () => {
  const late = Promise.withResolvers<Launched>();
  let launches = 0;
  let stops = 0;
  const launch = () => {
    launches += 1;
    return launches === 1 ? Promise.resolve(ended()) : late.promise;
  };
  const kept = await keepRunning({ name: 'thing', launch, log: noLog, firstTries: 3 });
  await eventually('the second start is under way', () => launches === 2);
  const stopped = kept.stop();
  late.resolve(
    endless(() => {
      stops += 1;
    }),
  );
  await stopped;
  expect(stops).toBe(1);
  expect(kept.pid()).toBeNull();
});
