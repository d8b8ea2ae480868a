import { expect, test } from '@jest/globals';
import { supervise } from '../src/supervise.ts';
import type { RunningProcess } from '../src/supervise.ts';
import { eventually } from './helpers.ts';

const ended = (): RunningProcess => ({
  pid: 1,
  exited: Promise.resolve('exit code 1'),
  stop: () => Promise.resolve(),
});

const endless = (onStop: () => void): RunningProcess => {
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
  const kept = await supervise({ name: 'thing', launch, log: noLog, startAttempts: 3 });
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
  await expect(supervise({ name: 'thing', launch, log: noLog, startAttempts: 3 })).rejects.toThrow(
    'no such file',
  );
  expect(tries).toBe(3);
});

test('what came up while it was being stopped is stopped too', async () => {
  const late = Promise.withResolvers<RunningProcess>();
  let launches = 0;
  let stops = 0;
  const launch = () => {
    launches += 1;
    return launches === 1 ? Promise.resolve(ended()) : late.promise;
  };
  const kept = await supervise({ name: 'thing', launch, log: noLog, startAttempts: 3 });
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
