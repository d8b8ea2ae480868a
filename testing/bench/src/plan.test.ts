import { describe, expect, it } from '@jest/globals';
import type { Measurement } from './measurement.ts';
import { planOf } from './plan.ts';

const named = (name: string, isLeftOutWhenQuick = false): Measurement => ({
  name,
  isLeftOutWhenQuick,
  measure: () => Promise.resolve([]),
});
const known = {
  regular: [named('read'), named('service', true), named('put')],
  onRequest: [named('growth')],
};
const plan = (isQuick: boolean, only: readonly string[] = []) =>
  planOf({ isQuick, only, questionsFile: null }, known);
const namesOf = ({ wanted }: ReturnType<typeof plan>) =>
  wanted.map(({ measurement }) => measurement.name);

describe('a run of the bench', () => {
  it('measures everything but what takes long', () => {
    expect(plan(false)).toMatchObject({ isStartWanted: true, isDiskWanted: true });
    expect(namesOf(plan(false))).toEqual(['read', 'service', 'put']);
  });

  it('leaves out what it measures in another way when it is quick', () => {
    expect(namesOf(plan(true))).toEqual(['read', 'put']);
  });

  it('measures what is named, and nothing else', () => {
    const only = plan(true, ['growth', 'service']);
    expect(namesOf(only)).toEqual(['service', 'growth']);
    expect(only).toMatchObject({ isStartWanted: false, isDiskWanted: false });
  });

  it('warms up the product once, and what is new in later measurements for less long', () => {
    const [first, second] = plan(true).wanted.map(({ profile }) => profile.warmUpRounds);
    expect(first).toBeGreaterThan(second ?? Number.NaN);
    expect(second).toBeGreaterThan(0);
  });

  it.each([true, false])(
    'alternates at least three rounds with each baseline (quick: %s)',
    (isQuick) => {
      const rounds = plan(isQuick, ['read', 'put', 'growth']).wanted.map(
        ({ profile }) => profile.rounds,
      );
      expect(Math.min(...rounds)).toBeGreaterThanOrEqual(3);
    },
  );
});
