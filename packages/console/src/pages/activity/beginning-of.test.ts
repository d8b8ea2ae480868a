import { expect, it } from '@jest/globals';
import { beginningOf } from './beginning-of.ts';

it('cuts a longer text, and no character of several parts', () => {
  expect(beginningOf('', 4)).toBeNull();
  expect(beginningOf('four', 4)).toBeNull();
  expect(beginningOf('fives', 4)).toBe('five…');
  expect(beginningOf('one two', 4)).toBe('one…');
  expect(beginningOf('one👩‍🚀', 4)).toBe('one…');
  expect(beginningOf('on👩‍🚀e', 7)).toBe('on👩‍🚀…');
});
