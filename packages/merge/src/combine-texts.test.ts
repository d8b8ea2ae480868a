import { describe, expect, it } from '@jest/globals';
import { combineTexts } from './combine-texts.ts';

const base = 'head\none\ntwo\nthree\ntail\n';

describe('two texts that overlap', () => {
  it('keep what does not, in each of the three ways out', () => {
    const ours = 'head, by us\none\ntwo of us\nthree\ntail\n';
    const theirs = 'head\none\ntwo of them\nthree\ntail, by them\n';
    expect(combineTexts({ base, ours, theirs })).toEqual({
      overlaps: [{ base: 'two', ours: 'two of us', theirs: 'two of them' }],
      ours: 'head, by us\none\ntwo of us\nthree\ntail, by them\n',
      theirs: 'head, by us\none\ntwo of them\nthree\ntail, by them\n',
      both: 'head, by us\none\ntwo of us\ntwo of them\nthree\ntail, by them\n',
    });
  });

  it('name a line that one side removed as empty', () => {
    const ours = 'head\none\nthree\ntail\n';
    const theirs = 'head\none\ntwo of them\nthree\ntail\n';
    const combined = combineTexts({ base, ours, theirs });
    expect(combined?.overlaps).toEqual([{ base: 'two', ours: '', theirs: 'two of them' }]);
    expect(combined?.ours).toBe(ours);
    expect(combined?.theirs).toBe(theirs);
  });
});

describe('two texts that do not overlap', () => {
  it('are the same in all three ways', () => {
    const ours = `first\n${base}`;
    const theirs = `${base}last\n`;
    const whole = `first\n${base}last\n`;
    expect(combineTexts({ base, ours, theirs })).toEqual({
      overlaps: [],
      ours: whole,
      theirs: whole,
      both: whole,
    });
  });
});

describe('a comparison that would take too long', () => {
  it('is none', () => {
    const same = 'x\n'.repeat(2_000);
    expect(combineTexts({ base: same, ours: `${same}a`, theirs: `b\n${same}` })).toBeNull();
  });
});
