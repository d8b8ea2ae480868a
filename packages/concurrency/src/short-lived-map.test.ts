import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createShortLivedMap } from './short-lived-map.ts';

/** Names that objects know by themselves are keys like any other. */
const keys = ['a', 'b', '', '7', '__proto__', 'constructor', 'hasOwnProperty'];

test('it holds for every key what was set last and not deleted since', () => {
  const step = fc.record({ key: fc.constantFrom(...keys), value: fc.option(fc.integer()) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = createShortLivedMap<string, number>();
      const expected = new Map<string, number>();
      for (const { key, value } of steps) {
        if (value === null) {
          map.delete(key);
          expected.delete(key);
        } else {
          map.set(key, value);
          expected.set(key, value);
        }
        for (const each of keys) {
          expect(map.get(each)).toBe(expected.get(each));
        }
      }
    }),
  );
});
