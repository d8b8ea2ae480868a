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
  ])('of %j is %j', (text, plain) => {
    expect(withoutMarks(text)).toBe(plain);
  });
});
