import { expect, it } from '@jest/globals';
import type { AppError } from '@commonplace/contracts';
import { createBodyBudget } from './body-budget.ts';

const mib = 1024 * 1024;

/** A budget of 100 MiB, 50 of a company, with a clock that the test moves. */
const createTestBudget = () => {
  const counters = { bodyBytes: 0, bodiesRefused: 0 };
  let nowMs = 0;
  const limits = {
    total: 100 * mib,
    perCompany: 50 * mib,
    perCredential: 40 * mib,
    perAddress: 90 * mib,
  };
  const open = createBodyBudget(limits, counters, { monotonicMs: () => nowMs });
  let senders = 0;
  const openBody = (companyId: string | null = null) => {
    senders += 1;
    const lost: string[] = [];
    const sender = { address: `192.0.2.${senders}`, credentialId: `key ${senders}`, companyId };
    const account = open(sender, ({ code }) => lost.push(code));
    const send = (bytes: number): string => {
      try {
        account.arrived(bytes);
        account.charge(bytes);
        return 'charged';
      } catch (error) {
        return (error as AppError).code;
      }
    };
    return { ...account, send, lost };
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { counters, openBody, pass };
};

it('bodies of one company get 429 beyond its share, whatever their credentials', () => {
  const { openBody } = createTestBudget();
  expect(openBody('a').send(30 * mib)).toBe('charged');
  expect(openBody('a').send(30 * mib)).toBe('rate_limited');
  expect(openBody('b').send(30 * mib)).toBe('charged');
});

it('of fast bodies the one that came last is rejected when all of them are too much', () => {
  const { openBody, counters } = createTestBudget();
  const bodies = [openBody(), openBody(), openBody()];
  expect(bodies.map(({ send }) => send(30 * mib))).toEqual(['charged', 'charged', 'charged']);
  expect(openBody().send(20 * mib)).toBe('busy');
  // The first needs more: the third makes room.
  expect(bodies[0]?.send(10 * mib)).toBe('charged');
  expect(bodies.map(({ lost }) => lost)).toEqual([[], [], []]);
  expect(bodies[1]?.send(10 * mib)).toBe('charged');
  expect(bodies.map(({ lost }) => lost)).toEqual([[], [], ['busy']]);
  expect(counters).toEqual({ bodyBytes: 80 * mib, bodiesRefused: 2 });
});

it('slow bodies lose their place first, the slowest before others', () => {
  const { openBody, pass, counters } = createTestBudget();
  const [withheld, dripping, steady] = [openBody(), openBody(), openBody()];
  withheld.send(30 * mib);
  dripping.send(30 * mib);
  steady.send(10 * mib);
  for (let second = 0; second < 5; second += 1) {
    pass(1_000);
    dripping.send(100);
    steady.send(2 * mib);
  }
  const fresh = openBody();
  expect(fresh.send(30 * mib)).toBe('charged');
  expect([withheld.lost, dripping.lost, steady.lost]).toEqual([['busy'], [], []]);
  expect(openBody().send(30 * mib)).toBe('charged');
  expect([dripping.lost, steady.lost, fresh.lost]).toEqual([['busy'], [], []]);
  expect(counters.bodiesRefused).toBe(2);
  withheld.release();
  expect(counters.bodyBytes).toBe(80 * mib);
});

it('slow bodies make room for others of their company, and complete ones keep their place', () => {
  const { openBody, pass } = createTestBudget();
  const [complete, withheld] = [openBody('a'), openBody('a')];
  complete.send(20 * mib);
  complete.complete();
  withheld.send(20 * mib);
  pass(2_000);
  expect(openBody('a').send(30 * mib)).toBe('charged');
  expect([complete.lost, withheld.lost]).toEqual([[], ['busy']]);
  expect(openBody('a').send(10 * mib)).toBe('rate_limited');
});

it('a body that lost its place is charged no more', () => {
  const { openBody, pass, counters } = createTestBudget();
  const withheld = openBody('a');
  withheld.send(40 * mib);
  pass(2_000);
  expect(openBody('a').send(20 * mib)).toBe('charged');
  expect(withheld.send(1)).toBe('busy');
  withheld.release();
  expect(counters.bodyBytes).toBe(20 * mib);
});
