import { expect, it } from '@jest/globals';
import { serverClock } from './server-clock.ts';

const responseOf = (dateMs: number) => ({
  headers: new Headers({ date: new Date(dateMs).toUTCString() }),
});

it('the time is that of the server, where its clock and that of the browser differ', () => {
  const browserMs = Date.now();
  const aheadMs = () => Math.round((serverClock.nowMs() - Date.now()) / 10_000) * 10_000;
  const atOnce = { sentMs: browserMs, arrivedMs: browserMs };
  serverClock.learn(responseOf(browserMs + 60_000), atOnce);
  expect(aheadMs()).toBe(60_000);
  serverClock.learn({ headers: new Headers() }, atOnce);
  expect(aheadMs()).toBe(60_000);
  serverClock.learn(responseOf(browserMs - 60_000), atOnce);
  expect(aheadMs()).toBe(-60_000);
  serverClock.learn(responseOf(browserMs), atOnce);
  expect(aheadMs()).toBe(0);
});

it('the time stays right where the machine slept between a request and its response', () => {
  const aheadMs = () => Math.round((serverClock.nowMs() - Date.now()) / 10_000) * 10_000;
  const arrivedMs = Date.now();
  const sentMs = arrivedMs - 8 * 3_600_000;
  const slept = { sentMs, arrivedMs };
  serverClock.learn(responseOf(arrivedMs), { sentMs: arrivedMs, arrivedMs });
  serverClock.learn(responseOf(sentMs), slept);
  expect(aheadMs()).toBe(0);
  serverClock.learn(responseOf(arrivedMs + 60_000), { sentMs: arrivedMs, arrivedMs });
  serverClock.learn(responseOf(sentMs + 60_000), slept);
  expect(aheadMs()).toBe(60_000);
  serverClock.learn(responseOf(arrivedMs), { sentMs: arrivedMs, arrivedMs });
  expect(aheadMs()).toBe(0);
});
