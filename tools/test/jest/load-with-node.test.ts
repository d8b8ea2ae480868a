import { describe, expect, it } from '@jest/globals';

const fails = (assertion: () => void): boolean => {
  try {
    assertion();
    return false;
  } catch {
    return true;
  }
};

describe('a test file that Node loads', () => {
  it('compares errors by their messages', () => {
    expect(fails(() => expect(new Error('a')).toEqual(new Error('b')))).toBe(true);
    expect(new RangeError('a')).toEqual(new RangeError('a'));
  });

  it('compares dates, maps, sets and patterns by what they hold', () => {
    expect(fails(() => expect({ at: 'x' }).toMatchObject({ at: new Date(2) }))).toBe(true);
    expect(fails(() => expect(new Map([[1, 2]])).toEqual(new Map([[1, 3]])))).toBe(true);
    expect(fails(() => expect(new Set([1])).toEqual(new Set([2])))).toBe(true);
    expect(fails(() => expect(/a/u).toEqual(/b/u))).toBe(true);
  });

  it('knows the classes of values', () => {
    expect(['x', 1, new Date(0), new Map()]).toEqual([
      expect.any(String),
      expect.any(Number),
      expect.any(Date),
      expect.any(Map),
    ]);
    expect(fails(() => expect(() => JSON.parse('{')).toThrow(TypeError))).toBe(true);
  });
});
