import { describe, expect, it } from '@jest/globals';
import { withoutMarks } from './without-marks.ts';

describe('withoutMarks', () => {
  it.each([
    [
      'calibrated ([[Robot calibration]]). [[Boiling points|They]] rise',
      'calibrated (Robot calibration). They rise',
    ],
    ['see [the page](https://example.org) and ![a hill](hill.png)', 'see the page and a hill'],
    ['**bold**, *leaning*, ~~gone~~ and `code`', 'bold, leaning, gone and code'],
    ['# Weekly ## Monday', 'Weekly Monday'],
    ['first - [ ] open - [x] done', 'first open done'],
    ['[[⟦Robot⟧ calibration]] is **⟦robot⟧** work', '⟦Robot⟧ calibration is ⟦robot⟧ work'],
    ['2 * 3 * 4, snake_case, C#, a - b, [x], [[', '2 * 3 * 4, snake_case, C#, a - b, [x], [['],
    ['', ''],
    ['see [the docs](https://exam…', 'see the docs…'],
    ['see [the docs](https://exam', 'see the docs'],
    ['…docs](https://example.org) say', '…docs say'],
    ['| City | Height | |---|---:| | ⟦Quito⟧ | 2850 |', 'City · Height · ⟦Quito⟧ · 2850'],
    ['a | b, and --- and ls | wc', 'a | b, and --- and ls | wc'],
    ['call `handlers[name](event)` for `2**3**4`', 'call handlers[name](event) for 2**3**4'],
    ['`# no heading`, ``a `tick` b``, `[[Robot]]`', '# no heading, a `tick` b, [[Robot]]'],
    ['**`pnpm start`** and [the `x` page](https://example.org)', 'pnpm start and the x page'],
    ['Room # 12 is open', 'Room # 12 is open'],
    ['# Weekly\n# Monday', 'Weekly\nMonday'],
    ['an `open end [[Robot]]', 'an `open end Robot'],
    ['\uE0007\uE000', '\uE0007\uE000'],
  ])('of %j is %j', (text, plain) => {
    expect(withoutMarks(text)).toBe(plain);
  });

  it.each(['`', '``a', '` ', '[', '**a', '# ', '- ', '|--|', '| -- ', '| ', '…a](', '|--|  '])(
    'is linear in many of %j',
    (part) => {
      const text = part.repeat(300_000);
      const startedAt = performance.now();
      expect(withoutMarks(text).length).toBeLessThanOrEqual(text.length);
      // Half a second; minutes if it were quadratic.
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    },
  );
});
