import { expect, it } from '@jest/globals';
import { grantList } from './grants.ts';
import { noteTag } from './notes/note-input.ts';

/** The normal form of so many takes minutes: they are put into order. */
const marks = (count: number): string => `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;

it('a tag or a folder of a grant that is far too long is refused before it is brought into its normal form', () => {
  expect(noteTag.safeParse(marks(500_000)).success).toBe(false);
  const grant = { folder: marks(500_000), scope: 'any' };
  expect(grantList.safeParse([grant]).success).toBe(false);
});

it('a tag may have as many marks as have room in its normal form', () => {
  expect(noteTag.parse(` ${'e\u0301'.repeat(64)} `)).toBe('é'.repeat(64));
});
