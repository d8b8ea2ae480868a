import { expect, it } from '@jest/globals';
import { serverClock } from './server-clock.ts';

const responseOf = (dateMs: number) => ({
  headers: new Headers({ date: new Date(dateMs).toUTCString() }),
});

it('the time is that of the server, where its clock and that of the browser differ', () => {
  const browserMs = Date.now();
  const aheadMs = () => Math.round((serverClock.nowMs() - Date.now()) / 10_000) * 10_000;
  serverClock.learn(responseOf(browserMs + 60_000), browserMs);
  expect(aheadMs()).toBe(60_000);
  serverClock.learn({ headers: new Headers() }, browserMs);
  expect(aheadMs()).toBe(60_000);
  serverClock.learn(responseOf(browserMs - 60_000), browserMs);
  expect(aheadMs()).toBe(-60_000);
  serverClock.learn(responseOf(browserMs), browserMs);
  expect(aheadMs()).toBe(0);
});
