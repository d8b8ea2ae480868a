import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import { monitorStream } from './stream-monitor.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A stream whose checks end like this from now on, and the errors that it was aborted with. */
const monitored = (check: () => Promise<null>) => {
  const aborted: string[] = [];
  const res = new EventEmitter() as ServerResponse;
  monitorStream({
    res,
    upstream: { abort: ({ code }) => void aborted.push(code) },
    caller: null,
    reauthorize: check,
    draining: new AbortController().signal,
  });
  return { aborted, close: () => res.emit('close') };
};

it('a stream whose credential cannot be checked ends after ten seconds', async () => {
  const { aborted, close } = monitored(() => Promise.reject(new Error('a fault')));
  await jest.advanceTimersByTimeAsync(9_000);
  expect(aborted).toEqual([]);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(aborted[0]).toBe('service_unavailable');
  close();
});

it('a stream outlives an unavailable service, and failures between checks that succeed', async () => {
  let checks = 0;
  const unavailable = monitored(() => Promise.reject(new AppError('service_unavailable')));
  const faulty = monitored(async () => {
    checks += 1;
    if (checks % 10 === 0) {
      return null;
    }
    throw new AppError('rate_limited');
  });
  await jest.advanceTimersByTimeAsync(60_000);
  expect([unavailable.aborted, faulty.aborted]).toEqual([[], []]);
  unavailable.close();
  faulty.close();
});
