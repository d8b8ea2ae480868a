import { describe, expect, it } from '@jest/globals';
import { openLevels } from './open-levels.ts';

type Node = { readonly reports: readonly Node[] };

/** A tree in which everybody but the last has so many reports. */
const tree = (reports: number, levels: number): Node => ({
  reports: levels > 1 ? Array.from({ length: reports }, () => tree(reports, levels - 1)) : [],
});

describe('the levels of an org chart that are open to begin with', () => {
  it('are all of them in a chart of sixty agents', () => {
    expect(openLevels([])).toBe(Number.POSITIVE_INFINITY);
    expect(openLevels([tree(59, 2)])).toBe(Number.POSITIVE_INFINITY);
  });

  it('are those with twenty agents together in a larger one, and at least the first', () => {
    expect(openLevels([tree(6, 5)])).toBe(2);
    expect(openLevels([tree(60, 2)])).toBe(1);
    expect(openLevels(Array.from({ length: 2_000 }, () => tree(0, 1)))).toBe(1);
  });
});
