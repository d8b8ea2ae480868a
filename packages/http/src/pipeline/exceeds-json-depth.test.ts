import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exceedsJsonDepth } from './exceeds-json-depth.ts';

/** Objects and arrays within each other, the value itself among them. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((most, entry) => Math.max(most, depthOf(entry)), 0)
    : 0;

/** What a string may try to hide behind, and enough of it to be searched and not looked at. */
const trap = fc
  .array(fc.constantFrom('"', '\\', '[', '{', ']', '}', 'é', 'plain text '), { maxLength: 60 })
  .map((pieces) => pieces.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    trap,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(trap, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('the depth of a JSON text', () => {
  it('is that of its objects and arrays, whatever its strings hold', () => {
    fc.assert(
      fc.property(json, (value) => {
        const bytes = Buffer.from(JSON.stringify([value]));
        const depth = depthOf([value]);
        expect(exceedsJsonDepth(depth, bytes)).toBe(false);
        expect(exceedsJsonDepth(depth - 1, bytes)).toBe(true);
      }),
    );
  });

  it('is found in a text that is no JSON as well', () => {
    expect(exceedsJsonDepth(2, Buffer.from('[[['))).toBe(true);
    expect(exceedsJsonDepth(2, Buffer.from('["[[['))).toBe(false);
    expect(exceedsJsonDepth(2, Buffer.from(`["${'\\"['.repeat(50)}`))).toBe(false);
  });
});
